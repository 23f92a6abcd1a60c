package io.cleat.cli;

import io.cleat.api.JobScaleStatus;
import io.cleat.api.JobStub;
import io.cleat.api.Json;
import io.cleat.api.Params;
import io.cleat.api.RawJson;
import io.cleat.api.ScalingEvent;
import io.cleat.api.ScalingPolicy;
import io.cleat.api.ScalingPolicyStub;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.LinkTrouble;
import io.cleat.base.VisibleText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How groups of jobs may be scaled, and were. */
final class ScalingVerbs {
    private ScalingVerbs() {}

    static List<Verb> policies() {
        return List.of(
                Verb.named("scaling policy list", "List scaling policies")
                        .about("Lists the groups of jobs that have a scaling block.")
                        .flags(
                                Flag.value("job", "id", "Only those of this job."),
                                Flag.value("type", "type", "Only those of this type: horizontal."),
                                Flag.VERBOSE,
                                Flag.JSON,
                                Flag.TEMPLATE)
                        .examples("cleat scaling policy list", "cleat scaling policy list -job=web")
                        .does(ScalingVerbs::list),
                Verb.named("scaling policy info", "Show one scaling policy")
                        .takes(1, 1, "<policy id>")
                        .flags(Flag.JSON, Flag.TEMPLATE)
                        .examples("cleat scaling policy info 5e9f9ef2")
                        .does(ScalingVerbs::info));
    }

    static final Verb EVENTS = Verb.named("job scaling-events", "List the last scalings of a job")
            .takes(1, 1, "<job>")
            .about("Lists the last 20 scalings of each group of a job, and what was said of them, newest first.")
            .flags(Flag.VERBOSE, Flag.JSON, Flag.TEMPLATE)
            .examples("cleat job scaling-events web")
            .does(ScalingVerbs::events);

    private static int list(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        List<ScalingPolicyStub> policies = call.client()
                .scaling()
                .policies(Params.none()
                        .with("job", call.flags().value("job").orElse(""))
                        .with("type", call.flags().value("type").orElse("")))
                .body();
        if (call.machine(policies)) {
            return 0;
        }
        if (policies.isEmpty()) {
            call.say("No policies found");
        } else {
            call.out(table(call, policies));
        }
        return 0;
    }

    private static String table(Call call, List<ScalingPolicyStub> policies) {
        Columns columns = new Columns("ID", "Enabled", "Type", "Target");
        policies.forEach(policy -> columns.row(
                call.id(policy.ID()), Boolean.toString(policy.Enabled()), policy.Type(), target(policy.Target())));
        return columns.text();
    }

    private static String target(Map<String, String> target) {
        List<String> parts = new ArrayList<>();
        for (String key : List.of("Namespace", "Job", "Group")) {
            parts.add(key + ":" + VisibleText.line(target.getOrDefault(key, "")));
        }
        return String.join(",", parts);
    }

    private static int info(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        String given = call.argument(0);
        List<ScalingPolicyStub> known = call.clientIn("*").scaling().policies(Params.none()).body().stream()
                .filter(policy -> policy.ID().startsWith(given))
                .toList();
        ScalingPolicyStub found =
                Prefix.one("scaling policy", given, known, ScalingPolicyStub::ID, many -> table(call, many));
        ScalingPolicy policy =
                call.client().scaling().policy(found.ID(), Params.none()).body();
        if (call.machine(policy)) {
            return 0;
        }
        call.out(new Rows()
                .put("ID", found.ID())
                .put("Enabled", found.Enabled())
                .put("Type", found.Type())
                .put("Target", target(found.Target()))
                .put("Min", String.valueOf(policy.Min()))
                .put("Max", String.valueOf(policy.Max()))
                .text());
        RawJson rule = policy.Policy();
        call.section("Policy", rule == null ? "<none>" : Json.text(rule));
        return 0;
    }

    /** An event and whose it is. */
    private record Line(String group, ScalingEvent event) {}

    private static int events(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        JobStub found = JobVerbs.find(call, call.argument(0));
        JobScaleStatus status = call.clientIn(found.Namespace())
                .jobs()
                .scaleStatus(found.ID(), Params.none())
                .body();
        List<Line> lines = new ArrayList<>();
        Map<String, List<ScalingEvent>> byGroup = new TreeMap<>();
        status.TaskGroups().forEach((name, group) -> {
            List<ScalingEvent> events = group.Events();
            if (events != null) {
                byGroup.put(name, events);
                events.forEach(event -> lines.add(new Line(name, event)));
            }
        });
        if (call.machine(byGroup)) {
            return 0;
        }
        if (lines.isEmpty()) {
            call.say("No events found");
            return 0;
        }
        lines.sort(Comparator.comparingLong((Line line) -> line.event().Time()).reversed());
        call.out(eventTable(call, lines));
        return 0;
    }

    private static String eventTable(Call call, List<Line> lines) {
        boolean all = call.isVerbose();
        Columns columns = all
                ? new Columns("Task Group", "Count", "PrevCount", "Error", "Message", "Eval ID", "Date")
                : new Columns("Task Group", "Count", "PrevCount", "Error", "Date");
        for (Line line : lines) {
            ScalingEvent event = line.event();
            Long count = event.Count();
            List<String> row = new ArrayList<>();
            row.add(VisibleText.line(line.group()));
            row.add(count == null ? "" : count.toString());
            row.add(Long.toString(event.PreviousCount()));
            row.add(Boolean.toString(event.Error()));
            if (all) {
                String evaluation = event.EvalID();
                row.add(VisibleText.line(event.Message()));
                row.add(evaluation == null ? "" : evaluation);
            }
            row.add(Human.time(event.Time(), call.zone()));
            columns.row(row.toArray(String[]::new));
        }
        return columns.text();
    }
}
