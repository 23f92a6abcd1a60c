package io.cleat.api;

/**
 * What is done with members of the log unasked.
 *
 * @param LastContactThreshold a member that has not heard of the leader for longer is not healthy, such as
 *     {@code 200ms}; {@code 0s} for no such bound
 * @param MaxTrailingLogs nor is one that is so many entries behind; 0 for no such bound
 * @param MinQuorum dead members are not removed below that many
 * @param ServerStabilizationTime how long a new member is healthy before it votes
 */
public record AutopilotConfiguration(
        boolean CleanupDeadServers,
        String LastContactThreshold,
        long MaxTrailingLogs,
        int MinQuorum,
        String ServerStabilizationTime,
        boolean EnableRedundancyZones,
        boolean DisableUpgradeMigration,
        boolean EnableCustomUpgrades,
        long CreateIndex,
        long ModifyIndex) {
    /** Nothing is done unasked. */
    public static final AutopilotConfiguration NOTHING =
            new AutopilotConfiguration(false, "0s", 0, 0, "0s", false, false, false, 0, 0);
}
