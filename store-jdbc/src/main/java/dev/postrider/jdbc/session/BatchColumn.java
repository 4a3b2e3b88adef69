package dev.postrider.jdbc.session;

import java.sql.Array;

/**
 * A column of many rows that go to the database as one value.
 *
 * @param bytes about how many it takes to send it
 */
public record BatchColumn(Array array, long bytes) {}
