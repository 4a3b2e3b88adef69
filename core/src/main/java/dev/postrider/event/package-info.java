/** Everything that happens, as values, and the stream that carries them to whoever listens. */
@NullMarked
package dev.postrider.event;

import org.jspecify.annotations.NullMarked;
