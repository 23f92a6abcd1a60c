package io.cleat.localplugin;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Which of the plugin's services a process serves; the option {@code --type}. */
enum Role {
    /** All of them: the usual way, where each node has a pool of its own. */
    MONOLITH,
    /** The controller services alone; it mounts nothing and is no node. */
    CONTROLLER,
    /** The node service alone. */
    NODE;

    boolean servesController() {
        return this != NODE;
    }

    boolean servesNode() {
        return this != CONTROLLER;
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<Role> of(String word) {
        return Arrays.stream(values()).filter(role -> role.word().equals(word)).findFirst();
    }

    /** All words, for messages. */
    static String words() {
        return Arrays.stream(values()).map(Role::word).collect(Collectors.joining(", "));
    }
}
