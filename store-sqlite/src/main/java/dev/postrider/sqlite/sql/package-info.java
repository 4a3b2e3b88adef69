/**
 * Every statement, with the index it walks. A test checks the query plan of each against its
 * comment.
 */
@NullMarked
package dev.postrider.sqlite.sql;

import org.jspecify.annotations.NullMarked;
