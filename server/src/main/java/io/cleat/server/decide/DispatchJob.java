package io.cleat.server.decide;

import io.cleat.base.Ordered;
import io.cleat.base.Refusal;
import io.cleat.base.TextRule;
import io.cleat.model.JobId;
import io.cleat.model.JobLaunch;
import io.cleat.model.JobLaunch.Parameterized;
import io.cleat.model.JobSpec;
import io.cleat.model.PayloadRule;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.JobRow;
import io.cleat.state.Trigger;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Runs a copy of a parameterized job.
 *
 * @param payload what is sent along, in base64; empty for nothing
 * @param meta what is sent along
 * @param priority of the copy; 0 for the job's
 * @param seed a fresh id: that of the evaluation
 */
public record DispatchJob(JobId job, String payload, Map<String, String> meta, int priority, String seed)
        implements Command<DispatchJob.Reply> {
    private static final int UNIQUE = 8;

    public DispatchJob {
        meta = Ordered.copyOf(meta);
    }

    /** @param copyVersion the version that stored the copy */
    public record Reply(String copyId, String evalId, long copyVersion) {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Optional<JobRow> known = newest.job(job);
        if (known.isEmpty()) {
            return Work.refuse(new Refusal.NotFound("job not found"));
        }
        Optional<Refusal> refusal = ConfigureScheduling.rejected(newest).or(() -> refusal(known.get()));
        if (refusal.isPresent()) {
            return Work.refuse(refusal.get());
        }
        Work work = new Work(newest, context);
        JobSpec spec = known.get().spec();
        NewIds ids = new NewIds(seed);
        String evalId = ids.next();
        JobSpec copy = spec.child(
                job.id()
                        + "/dispatch-"
                        + work.now().getEpochSecond()
                        + "-"
                        + ids.next().substring(0, UNIQUE),
                priority == 0 ? spec.priority() : priority,
                whole(spec),
                new JobLaunch.Child(job.id(), true, payload));
        Optional<Refusal> unfit = NamespaceRules.unfit(newest, context, copy);
        if (unfit.isPresent()) {
            return Work.refuse(unfit.get());
        }
        RegisterJob.Reply reply = ChildJobs.run(work, copy, Trigger.JOB_REGISTER, evalId);
        return work.accept(new Reply(copy.id().id(), evalId, reply.jobModifyVersion()));
    }

    /** What may be sent along and is not is empty, so that tasks need not ask whether it is there. */
    private Map<String, String> whole(JobSpec spec) {
        Map<String, String> whole = new TreeMap<>(meta);
        if (spec.launch() instanceof Parameterized parameters) {
            parameters.metaOptional().stream()
                    .filter(key -> !spec.meta().containsKey(key))
                    .forEach(key -> whole.putIfAbsent(key, ""));
        }
        return whole;
    }

    private Optional<Refusal> refusal(JobRow known) {
        String quoted = "Specified job " + TextRule.quoted(job.id());
        if (!(known.spec().launch() instanceof Parameterized parameters)) {
            return Optional.of(new Refusal.Invalid(quoted + " is not a parameterized job"));
        }
        if (known.stop()) {
            return Optional.of(new Refusal.Invalid(quoted + " is stopped"));
        }
        return payloadFault(parameters).or(() -> metaFault(parameters)).map(Refusal.Invalid::new);
    }

    private Optional<String> payloadFault(Parameterized parameters) {
        int bytes = Base64.getDecoder().decode(payload).length;
        if (bytes == 0 && parameters.payload() == PayloadRule.REQUIRED) {
            return Optional.of("Payload is not provided but required by parameterized job");
        }
        if (bytes > 0 && parameters.payload() == PayloadRule.FORBIDDEN) {
            return Optional.of("Payload provided but forbidden by parameterized job");
        }
        return bytes > PayloadRule.MOST_BYTES
                ? Optional.of("Payload exceeds maximum size; " + bytes + " > " + PayloadRule.MOST_BYTES)
                : Optional.empty();
    }

    private Optional<String> metaFault(Parameterized parameters) {
        List<String> more = new TreeMap<>(meta)
                .keySet().stream()
                        .filter(key -> !parameters.metaRequired().contains(key)
                                && !parameters.metaOptional().contains(key))
                        .toList();
        if (!more.isEmpty()) {
            return Optional.of("Dispatch request included unpermitted metadata keys: " + more);
        }
        List<String> absent = parameters.metaRequired().stream()
                .filter(key -> !meta.containsKey(key))
                .sorted()
                .toList();
        return absent.isEmpty()
                ? Optional.empty()
                : Optional.of("Dispatch did not provide required meta keys: " + absent);
    }

    @Override
    public boolean bringsMore() {
        return true;
    }
}
