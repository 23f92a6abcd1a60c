package io.cleat.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A command that is run in a task after one of its templates has changed. Timeout in ns. */
public record ChangeScript(
        List<String> Args,
        String Command,
        boolean FailOnError,
        @Nullable Long Timeout) {}
