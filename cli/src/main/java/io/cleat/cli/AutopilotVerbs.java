package io.cleat.cli;

import io.cleat.api.AutopilotConfiguration;
import io.cleat.api.AutopilotHealth;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.LinkTrouble;
import java.util.List;

/** How the members of the log stand, and what is done with them unasked. */
final class AutopilotVerbs {
    private AutopilotVerbs() {}

    static List<Verb> all() {
        return List.of(
                Verb.named("operator autopilot health", "Show how the members of the log stand")
                        .about("Shows each member of the log, and whether it serves as it should."
                                + " Ends with 0 also if one does not.")
                        .flags(Flag.JSON, Flag.TEMPLATE)
                        .examples("cleat operator autopilot health")
                        .does(AutopilotVerbs::health),
                Verb.named("operator autopilot get-config", "Show what is done with members unasked")
                        .about("Shows what is done with members of the log unasked, which is nothing: none is added "
                                + "or removed.")
                        .flags(Flag.JSON, Flag.TEMPLATE)
                        .examples("cleat operator autopilot get-config")
                        .does(AutopilotVerbs::configuration));
    }

    private static int health(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        AutopilotHealth health = call.client().agent().autopilotHealth();
        if (call.machine(health)) {
            return 0;
        }
        call.out(new Rows()
                .put("Healthy", String.valueOf(health.Healthy()))
                .put("FailureTolerance", String.valueOf(health.FailureTolerance()))
                .put("Leader", health.Leader())
                .put("Voters", String.join(", ", health.Voters()))
                .text());
        Columns columns = new Columns(
                "ID",
                "Name",
                "Address",
                "SerfStatus",
                "Version",
                "Leader",
                "Voter",
                "Healthy",
                "LastContact",
                "LastTerm",
                "LastIndex",
                "StableSince");
        for (AutopilotHealth.Server one : health.Servers()) {
            columns.row(
                    one.ID(),
                    one.Name(),
                    one.Address(),
                    one.SerfStatus(),
                    one.Version(),
                    String.valueOf(one.Leader()),
                    String.valueOf(one.Voter()),
                    String.valueOf(one.Healthy()),
                    one.LastContact(),
                    String.valueOf(one.LastTerm()),
                    String.valueOf(one.LastIndex()),
                    one.StableSince() == null ? "" : one.StableSince().toString());
        }
        call.section("Servers", columns.text());
        return 0;
    }

    private static int configuration(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        AutopilotConfiguration config = call.client().agent().autopilotConfiguration();
        if (call.machine(config)) {
            return 0;
        }
        call.out(new Rows()
                .put("CleanupDeadServers", String.valueOf(config.CleanupDeadServers()))
                .put("LastContactThreshold", config.LastContactThreshold())
                .put("MaxTrailingLogs", String.valueOf(config.MaxTrailingLogs()))
                .put("MinQuorum", String.valueOf(config.MinQuorum()))
                .put("ServerStabilizationTime", config.ServerStabilizationTime())
                .put("EnableRedundancyZones", String.valueOf(config.EnableRedundancyZones()))
                .put("DisableUpgradeMigration", String.valueOf(config.DisableUpgradeMigration()))
                .put("EnableCustomUpgrades", String.valueOf(config.EnableCustomUpgrades()))
                .text());
        return 0;
    }
}
