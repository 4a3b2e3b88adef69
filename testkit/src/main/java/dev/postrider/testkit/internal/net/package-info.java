/** Ports for programs that tests start. Depends on nothing. */
@NullMarked
package dev.postrider.testkit.internal.net;

import org.jspecify.annotations.NullMarked;
