package dev.postrider.server.cli;

import java.io.InputStream;
import java.io.PrintWriter;
import java.util.Map;

/**
 * What a command is given of the place it runs in.
 *
 * @param interactive whether a person sits before it, who wants to see lines change
 */
record Terminal(
    Map<String, String> environment,
    InputStream in,
    PrintWriter out,
    PrintWriter err,
    boolean interactive) {}
