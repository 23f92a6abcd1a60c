package io.cleat.sim;

/** The even seeds. */
final class ClusterSimulationEvenTest extends ClusterSimulation {
    ClusterSimulationEvenTest() {
        super(14);
    }
}
