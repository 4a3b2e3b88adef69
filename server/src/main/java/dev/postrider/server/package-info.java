/**
 * The server: wires core, store and channels together and shows them to the outside. Nothing below
 * may know it.
 */
@NullMarked
package dev.postrider.server;

import org.jspecify.annotations.NullMarked;
