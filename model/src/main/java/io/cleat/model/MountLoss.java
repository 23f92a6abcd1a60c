package io.cleat.model;

/** What is done when a plugin that holds its mounts itself has died, and they with it. */
public enum MountLoss implements WireNamed {
    /** It is said in events and stories; people decide. */
    ALERT("alert"),
    /** The volume is mounted anew once the plugin is there, and its tasks are started anew. */
    RESTART_TASKS("restart_tasks"),
    /**
     * The volume is mounted anew under its tasks, which run on: what they open from then on works, what they had open
     * stays broken.
     */
    REMOUNT("remount");

    private final String wire;

    MountLoss(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
