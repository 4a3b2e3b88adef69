/**
 * What is wrong with a reminder, said field by field. The lowest room of the module: everything
 * else reports here, and it knows nobody.
 */
@NullMarked
package dev.postrider.reminder.problem;

import org.jspecify.annotations.NullMarked;
