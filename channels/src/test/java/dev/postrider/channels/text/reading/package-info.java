/** What platforms would show, read by code that knows nothing of the code that writes. */
package dev.postrider.channels.text.reading;
