/**
 * The Matrix client-server API. {@link dev.postrider.channels.matrix.MatrixLink} sends, {@link
 * dev.postrider.channels.matrix.MatrixRequest} says what, {@link
 * dev.postrider.channels.matrix.MatrixVerdict} reads the answer; {@link
 * dev.postrider.channels.matrix.MatrixSync} listens and {@link
 * dev.postrider.channels.matrix.MatrixEvents} reads what it hears. A homeserver recognises a part
 * by its key. End-to-end encryption is not spoken here.
 */
@NullMarked
package dev.postrider.channels.matrix;

import org.jspecify.annotations.NullMarked;
