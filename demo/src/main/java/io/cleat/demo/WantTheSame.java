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
final class WantTheSame {
    static final String SECOND = "second-writer";
    private static final String FILTERED =
            "CSI volume " + MakeVolumes.COUNTER + " has exhausted its available writer claims";

    private final Scene scene;
    private final Workload holder;

    WantTheSame(Scene scene, Workload holder) {
        this.scene = scene;
        this.holder = holder;
    }

    void play() throws CheckFailed, InterruptedException {
        scene.tell().step("A second job wants the same volume to write, and is told why it waits");
        scene.cluster().register(scene.job(SECOND, Variables.none()));
        Evaluation blocked = scene.polling().until("the second job's evaluation is blocked", this::blocked);
        scene.tell().verified("evaluation " + Cluster.brief(blocked.ID()), "blocked: \"" + FILTERED + "\"");
        CheckFailed.unless(
                scene.cluster().allocations(SECOND).isEmpty(),
                "allocations of job " + SECOND,
                "none while it waits",
                "some");
        VolumeWhy.Waiting story = scene.polling().until("the wait has its story", this::story);
        told(scene.command("job", "status", SECOND), story);
        told(scene.command("volume", "status", MakeVolumes.COUNTER), story);
        told(scene.command("volume", "why", MakeVolumes.COUNTER), story);
        scene.tell().verified("three commands", "name the holder, since when, and what happens next");
    }

    private Evaluation blocked() throws CheckFailed {
        List<Evaluation> all = scene.cluster()
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

    private VolumeWhy.Waiting story() throws CheckFailed {
        VolumeWhy why = scene.cluster()
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

    private void told(CommandOutput output, VolumeWhy.Waiting story) throws CheckFailed {
        output.says("on whom it waits", story.Holder());
        output.says("since when", "since ");
        output.says("what will happen next", story.Hint());
        scene.tell().quote(output.command(), output.with(story.Holder(), story.Hint(), FILTERED));
    }
}
