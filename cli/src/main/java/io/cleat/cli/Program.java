package io.cleat.cli;

/**
 * A word that starts another role of the program and is not a verb of the command line; it is only
 * listed here.
 *
 * @param name the word
 * @param summary one line for the list
 */
public record Program(String name, String summary) {}
