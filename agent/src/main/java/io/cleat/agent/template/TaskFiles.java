package io.cleat.agent.template;

import io.cleat.base.KernelTrouble;
import io.cleat.kernel.FileLook;
import io.cleat.kernel.FileWrites.Owner;
import io.cleat.kernel.Place;
import java.util.Optional;

/**
 * The port for files in the directories of allocations, where workloads make what they like: no link is followed, and
 * only regular files are opened.
 */
public interface TaskFiles {
    /** What is there; empty if nothing is, nor the directory that it would lie in. */
    Optional<FileLook> look(Place file) throws KernelTrouble, InterruptedException;

    /**
     * The whole of a text in UTF-8.
     *
     * @throws KernelTrouble also if it is longer than 4 MiB, or no file
     */
    String read(Place file) throws KernelTrouble, InterruptedException;

    /** Replaces a file by another, and makes the directories above it. */
    void write(Place file, byte[] bytes, Owner owner) throws KernelTrouble, InterruptedException;
}
