/**
 * Tools for tests: a scriptable fake platform, virtual time, contract tests that every store and
 * channel must pass. Knows core only, so that people who embed Postrider can test with the same
 * tools.
 */
@NullMarked
package dev.postrider.testkit;

import org.jspecify.annotations.NullMarked;
