package io.cleat.api;

import org.jspecify.annotations.Nullable;

/** A file that is rendered for a task. {@code Splay} in ns. {@code VaultGrace} is of Nomad's past and always 0. */
public record Template(
        @Nullable String ChangeMode,
        @Nullable ChangeScript ChangeScript,
        String ChangeSignal,
        String DestPath,
        String EmbeddedTmpl,
        boolean Envvars,
        boolean ErrMissingKey,
        @Nullable Integer Gid,
        @Nullable String LeftDelim,
        boolean Once,
        @Nullable String Perms,
        @Nullable String RightDelim,
        String SourcePath,
        @Nullable Long Splay,
        @Nullable Integer Uid,
        long VaultGrace,
        @Nullable WaitConfig Wait) {}
