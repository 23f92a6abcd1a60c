package io.cleat.demo;

import io.cleat.api.AllocMetric;
import io.cleat.api.Evaluation;
import io.cleat.api.Params;
import io.cleat.api.VolumeWhy;
import io.cleat.jobspec.hcl.Variables;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Step 7: a second job wants the volume that is taken, and is told why it waits. */
final class ContendForVolume {
    static final String SECOND = "second-writer";
    private static final String FILTERED =
            "CSI volume " + MakeVolumes.COUNTER + " has exhausted its available writer claims";

    private final DemoContext context;
    private final Workload holder;

    ContendForVolume(DemoContext context, Workload holder) {
        this.context = context;
        this.holder = holder;
    }

    void play() throws CheckFailed, InterruptedException {
        context.tell().step("A second job wants the same volume to write, and is told why it waits");
        context.cluster().register(context.job(SECOND, Variables.none()));
        Evaluation blocked = context.polling().until("the second job's evaluation is blocked", this::blocked);
        context.tell().verified("evaluation " + Cluster.brief(blocked.ID()), "blocked: \"" + FILTERED + "\"");
        CheckFailed.unless(
                context.cluster().allocations(SECOND).isEmpty(),
                "allocations of job " + SECOND,
                "none while it waits",
                "some");
        VolumeWhy.Waiting waiting = context.polling().until("the wait has its reason", this::waiting);
        told(context.command("job", "status", SECOND), waiting);
        told(context.command("volume", "status", MakeVolumes.COUNTER), waiting);
        told(context.command("volume", "why", MakeVolumes.COUNTER), waiting);
        context.tell().verified("three commands", "name the holder, since when, and what happens next");
    }

    private Evaluation blocked() throws CheckFailed {
        List<Evaluation> all = context.cluster()
                .ask(
                        "evaluations of job " + SECOND,
                        c -> c.jobs().evaluations(SECOND, Params.none()).body());
        Evaluation blocked = all.stream()
                .filter(one -> one.Status().equals("blocked"))
                .findFirst()
                .orElseThrow(() -> new CheckFailed(
                        "evaluations of job " + SECOND,
                        "one that is blocked",
                        String.join(", ", all.stream().map(Evaluation::Status).toList())));
        List<String> reasons = new ArrayList<>();
        all.forEach(one -> reasons.addAll(filtered(one)));
        CheckFailed.unless(
                reasons.stream().anyMatch(reason -> reason.startsWith(FILTERED)),
                "why the node was not chosen",
                FILTERED,
                reasons.isEmpty() ? "no reason" : String.join("; ", reasons));
        return blocked;
    }

    private static List<String> filtered(Evaluation evaluation) {
        List<String> reasons = new ArrayList<>();
        Map<String, AllocMetric> groups = evaluation.FailedTGAllocs();
        for (AllocMetric metric : groups == null ? List.<AllocMetric>of() : groups.values()) {
            Map<String, Integer> constraints = metric.ConstraintFiltered();
            reasons.addAll(constraints == null ? List.of() : constraints.keySet());
        }
        return reasons;
    }

    private VolumeWhy.Waiting waiting() throws CheckFailed {
        VolumeWhy why = context.cluster()
                .ask(
                        "why of volume " + MakeVolumes.COUNTER,
                        c -> c.volumes().why(MakeVolumes.COUNTER, Params.none()).body());
        VolumeWhy.Waiting waiting = why.Waiting().stream()
                .filter(one -> one.What().contains(SECOND))
                .findFirst()
                .orElseThrow(() -> new CheckFailed(
                        "what waits for volume " + MakeVolumes.COUNTER,
                        "the evaluation of job " + SECOND,
                        why.Waiting().toString()));
        CheckFailed.unless(
                waiting.Holder().contains(Cluster.brief(holder.allocId()))
                        && waiting.Since() != null
                        && !waiting.Hint().isEmpty(),
                "the story of the wait",
                "holder " + Cluster.brief(holder.allocId()) + ", since when, what happens next",
                waiting);
        return waiting;
    }

    private void told(CommandOutput output, VolumeWhy.Waiting waiting) throws CheckFailed {
        output.says("on whom it waits", waiting.Holder());
        output.says("since when", "since ");
        output.says("what will happen next", waiting.Hint());
        context.tell().quote(output.command(), output.with(waiting.Holder(), waiting.Hint(), FILTERED));
    }
}
