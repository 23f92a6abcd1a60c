package io.cleat.agent.host;

import io.cleat.base.Trouble;
import io.cleat.model.HostVolumeSpec;

/** What makes host volumes on this node, and deletes them. */
interface HostPlugin {
    /** What it made. */
    record Made(String path, long capacity) {}

    /**
     * Makes the directory of a volume, or finds it made.
     *
     * @throws Trouble saying whether nothing was done
     */
    Made make(HostVolumeSpec spec) throws Trouble, InterruptedException;

    /**
     * Removes what it has made, with all that is in it; it may be gone already.
     *
     * @param path where it was made; empty if that is not known
     */
    void delete(HostVolumeSpec spec, String path) throws Trouble, InterruptedException;
}
