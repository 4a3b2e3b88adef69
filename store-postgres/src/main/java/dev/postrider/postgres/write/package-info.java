/** The kinds of write that go by the batch. */
@NullMarked
package dev.postrider.postgres.write;

import org.jspecify.annotations.NullMarked;
