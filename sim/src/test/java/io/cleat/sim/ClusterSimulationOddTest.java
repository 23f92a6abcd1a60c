package io.cleat.sim;

/** The odd seeds. */
final class ClusterSimulationOddTest extends ClusterSimulation {
    ClusterSimulationOddTest() {
        super(37);
    }
}
