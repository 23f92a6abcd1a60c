package io.cleat.state;

import io.cleat.base.Since;
import io.cleat.model.WireNamed;

/** What started an evaluation. */
public enum Trigger implements WireNamed {
    JOB_REGISTER("job-register"),
    JOB_DEREGISTER("job-deregister"),
    NODE_UPDATE("node-update"),
    NODE_DRAIN("node-drain"),
    ALLOC_STOP("alloc-stop"),
    ALLOC_FAILURE("alloc-failure"),
    DEPLOYMENT_WATCHER("deployment-watcher"),
    /** The next of a system job's allocations. */
    ROLLING_UPDATE("rolling-update"),
    /** What could not be placed before. */
    QUEUED_ALLOCS("queued-allocs"),
    /** A copy of a job whose time has come. */
    @Since(11)
    PERIODIC_JOB("periodic-job");

    private final String wire;

    Trigger(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
