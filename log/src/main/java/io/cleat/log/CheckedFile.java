package io.cleat.log;

import java.util.Optional;

/**
 * One file of a log that was read to its end.
 *
 * @param name below the log's directory
 * @param holds in words
 * @param fault what is wrong with it, in a sentence without its end; empty if a start can read it
 */
public record CheckedFile(String name, String holds, Optional<String> fault) {}
