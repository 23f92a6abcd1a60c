package io.cleat.api;

import org.jspecify.annotations.Nullable;

/**
 * The policies of a group where a job says nothing, by the job's type. What is given wins value by value; what an outer
 * block gives wins over the default.
 */
final class PolicyDefaults {
    static final UpdateStrategy UPDATE = PolicyBlocks.UPDATE.usual();

    private static final MigrateStrategy MIGRATE = PolicyBlocks.MIGRATE.usual();
    private static final RestartPolicy RESTART = PolicyBlocks.RESTART.usual();
    private static final RestartPolicy RESTART_BATCH = PolicyBlocks.RESTART.usualOfBatch();
    private static final ReschedulePolicy RESCHEDULE = PolicyBlocks.RESCHEDULE.usual();
    private static final ReschedulePolicy RESCHEDULE_BATCH = PolicyBlocks.RESCHEDULE.usualOfBatch();

    private PolicyDefaults() {}

    static RestartPolicy restart(String type, @Nullable RestartPolicy given) {
        return Edit.over(isBatch(type) ? RESTART_BATCH : RESTART, given);
    }

    static @Nullable ReschedulePolicy reschedule(
            String type, @Nullable ReschedulePolicy job, @Nullable ReschedulePolicy group) {
        return switch (type) {
            case "service" -> Edit.over(Edit.over(RESCHEDULE, job), group);
            case "batch" -> Edit.over(Edit.over(RESCHEDULE_BATCH, job), group);
            default -> group;
        };
    }

    static @Nullable MigrateStrategy migrate(
            String type, @Nullable MigrateStrategy job, @Nullable MigrateStrategy group) {
        return type.equals("service") ? Edit.over(Edit.over(MIGRATE, job), group) : group;
    }

    /** Null for the types that are not updated step by step. */
    static @Nullable UpdateStrategy update(String type, @Nullable UpdateStrategy job, @Nullable UpdateStrategy group) {
        return isBatch(type) ? group : Edit.over(Edit.over(UPDATE, job), group);
    }

    static boolean isBatch(String type) {
        return type.equals("batch") || type.equals("sysbatch");
    }
}
