package io.cleat.driverplugin.config;

/**
 * One thing that a block may hold, for people.
 *
 * @param name with dots for blocks in blocks, such as {@code mount.path}
 * @param type such as {@code list(string)}, or {@code block}
 * @param usual what it is where it is not given; empty for nothing
 */
public record SchemaRow(String name, String type, boolean required, String usual) {}
