package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.base.TextRule;
import io.cleat.model.JobId;
import io.cleat.model.JobTag;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.JobRow;
import io.cleat.state.JobVersionRow;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Somebody gives a version of a job a tag, by which it is kept, or takes it away.
 *
 * @param name of the tag
 * @param given null to take it away
 */
public record TagJobVersion(
        JobId job, String name, @Nullable Given given) implements Command<TagJobVersion.Reply> {
    /**
     * What is given.
     *
     * @param number the job's own count of the version; null for the newest
     */
    public record Given(@Nullable Long number, String description) {}

    /** The tag as it is, or was. */
    public record Reply(JobTag tag) {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Optional<JobRow> known = newest.job(job);
        if (known.isEmpty()) {
            return Work.refuse(new Refusal.NotFound("job not found"));
        }
        List<JobVersionRow> jobVersions = newest.versionsOf(known.get());
        Optional<JobVersionRow> holder =
                jobVersions.stream().filter(this::hasIt).findFirst();
        return given == null
                ? take(newest, context, holder)
                : give(newest, context, known.get(), jobVersions, holder, given);
    }

    private boolean hasIt(JobVersionRow jobVersion) {
        JobTag tag = jobVersion.tag();
        return tag != null && tag.name().equals(name);
    }

    private Decision<Change, Reply> take(ClusterState newest, DecideContext context, Optional<JobVersionRow> holder) {
        if (holder.isEmpty()) {
            return Work.refuse(new Refusal.NotFound(
                    "job " + TextRule.quoted(job.id()) + " has no version with the tag " + TextRule.quoted(name)));
        }
        Work work = new Work(newest, context);
        work.add(new Change.JobTagged(holder.get().id(), null));
        return work.accept(new Reply(Objects.requireNonNull(holder.get().tag())));
    }

    private Decision<Change, Reply> give(
            ClusterState newest,
            DecideContext context,
            JobRow known,
            List<JobVersionRow> jobVersions,
            Optional<JobVersionRow> holder,
            Given wanted) {
        long number = wanted.number() == null ? known.number() : wanted.number();
        Optional<JobVersionRow> jobVersion =
                jobVersions.stream().filter(row -> row.number() == number).reduce((a, b) -> b);
        if (jobVersion.isEmpty()) {
            return Work.refuse(new Refusal.NotFound("job \"" + job.id() + "\" at version " + number + " not found"));
        }
        Optional<Refusal> refusal = refusal(jobVersions, jobVersion.get(), holder);
        if (refusal.isPresent()) {
            return Work.refuse(refusal.get());
        }
        Work work = new Work(newest, context);
        JobTag tag = new JobTag(name, wanted.description(), work.now());
        work.add(new Change.JobTagged(jobVersion.get().id(), tag));
        return work.accept(new Reply(tag));
    }

    private Optional<Refusal> refusal(
            List<JobVersionRow> jobVersions, JobVersionRow jobVersion, Optional<JobVersionRow> holder) {
        if (holder.isPresent() && !holder.get().id().equals(jobVersion.id())) {
            return Optional.of(new Refusal.Conflict("tag "
                    + TextRule.quoted(name)
                    + " already exists on version "
                    + holder.get().number()
                    + " of job "
                    + TextRule.quoted(job.id())
                    + ": take it away first, with: cleat job tag unset -name="
                    + name
                    + " "
                    + job.id()));
        }
        JobTag other = jobVersion.tag();
        if (other != null && !other.name().equals(name)) {
            return Optional.of(new Refusal.Conflict("version "
                    + jobVersion.number()
                    + " of job "
                    + TextRule.quoted(job.id())
                    + " has the tag "
                    + TextRule.quoted(other.name())
                    + " already: take it away first, with: cleat job tag unset -name="
                    + other.name()
                    + " "
                    + job.id()));
        }
        long tagged = jobVersions.stream().filter(row -> row.tag() != null).count();
        return other == null && tagged >= JobVersionRow.TAGS_MOST
                ? Optional.of(new Refusal.Conflict("job "
                        + TextRule.quoted(job.id())
                        + " has "
                        + tagged
                        + " versions with tags, as many as are kept: take one away with: cleat job tag unset"))
                : Optional.empty();
    }
}
