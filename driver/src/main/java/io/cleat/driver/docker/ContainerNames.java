package io.cleat.driver.docker;

import io.cleat.base.DriverTrouble;
import io.cleat.driver.shim.ShimTasks;

/** The names of our containers: allocation, task and run, then the node, with dots between. */
final class ContainerNames {
    private static final int NODE = 8;

    private ContainerNames() {}

    /**
     * The name of the container of a run.
     *
     * @param id of the run, as in a task's configuration
     * @param node the id of the node; several may share one engine
     */
    static String of(String id, String node) throws DriverTrouble {
        String name = ShimTasks.directoryName(id).replaceAll("[^a-zA-Z0-9_.-]", "_");
        return name + "." + node.substring(0, Math.min(NODE, node.length()));
    }
}
