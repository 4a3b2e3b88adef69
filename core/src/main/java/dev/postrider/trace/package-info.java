/**
 * What happens to messages, as spans of distributed traces. Spans are made of events, and handed to
 * whoever exports them; nothing here knows how. May touch: event, inbound, message.
 */
@NullMarked
package dev.postrider.trace;

import org.jspecify.annotations.NullMarked;
