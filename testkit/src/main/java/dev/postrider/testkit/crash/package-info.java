/**
 * The crash harness: a real server process under load against a platform with faults, killed with
 * SIGKILL at random moments. What is true is what the platform saw.
 */
@NullMarked
package dev.postrider.testkit.crash;

import org.jspecify.annotations.NullMarked;
