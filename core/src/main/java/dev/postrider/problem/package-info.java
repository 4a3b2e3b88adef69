/**
 * What is wrong with something that people wrote, field by field, and why a request was not carried
 * out, in words for people.
 */
@NullMarked
package dev.postrider.problem;

import org.jspecify.annotations.NullMarked;
