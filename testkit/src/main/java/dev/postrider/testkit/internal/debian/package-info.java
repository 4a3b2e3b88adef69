/**
 * Programs and libraries of Debian's, unpacked beside the build for tests that need them; nothing
 * is installed into the system. Depends on nothing.
 */
@NullMarked
package dev.postrider.testkit.internal.debian;

import org.jspecify.annotations.NullMarked;
