package io.cleat.agent.task;

import io.cleat.base.Trouble;
import java.nio.file.Path;

/**
 * Shows volumes inside the directory of a task whose driver does not isolate files. A path there is
 * under the workload's control: links in it are not followed.
 */
public interface VolumeBinds {
    /**
     * Binds a published volume to {@code destination} below {@code taskDir}; done already is fine.
     *
     * @return where it is seen
     */
    Path bind(Path published, Path taskDir, String destination, boolean readOnly)
            throws Trouble, InterruptedException;

    /** As {@link #bind}, in the place of what is bound there, which may be dead and in use. */
    void rebind(Path published, Path taskDir, String destination, boolean readOnly)
            throws Trouble, InterruptedException;

    /** Undoes every bind below {@code directory}, an allocation's. */
    void unbindAll(Path directory) throws Trouble, InterruptedException;
}
