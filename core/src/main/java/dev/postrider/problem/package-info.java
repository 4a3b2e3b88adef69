/** Why a request was not carried out, in words for people. */
@NullMarked
package dev.postrider.problem;

import org.jspecify.annotations.NullMarked;
