package io.cleat.clusterapi.jobs;

import io.cleat.api.Answer;
import io.cleat.api.AnswerMeta;
import io.cleat.api.Job;
import io.cleat.api.JobTagResponse;
import io.cleat.api.JobVersionTag;
import io.cleat.api.Nanos;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.TextRule;
import io.cleat.http.QueryParams;
import io.cleat.server.decide.TagJobVersion;
import io.cleat.server.intake.Done;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/** Tags that people give to versions of jobs. */
final class VersionTags {
    private static final int LONGEST_NAME = 128;
    private static final int LONGEST_DESCRIPTION = 1000;

    private VersionTags() {}

    static void requireFit(String name, String description) throws Refused {
        Optional<String> fault = TextRule.lineFault(name);
        if (name.isBlank() || name.length() > LONGEST_NAME || fault.isPresent()) {
            throw QueryParams.malformed("tag "
                    + TextRule.quoted(name)
                    + " is not a name: it needs 1 to "
                    + LONGEST_NAME
                    + " characters, all of them visible");
        }
        if (description.length() > LONGEST_DESCRIPTION) {
            throw QueryParams.malformed("the description of a tag has at most "
                    + LONGEST_DESCRIPTION
                    + " characters, this one has "
                    + description.length());
        }
    }

    static Answer<JobTagResponse> answer(Done<TagJobVersion.Reply> done) {
        return new Answer<>(
                new JobTagResponse(
                        done.reply().tag().description(),
                        done.version(),
                        done.reply().tag().name(),
                        Nanos.of(done.reply().tag().at())),
                AnswerMeta.ofLeader(done.version()));
    }

    /**
     * The version that others are compared with; empty if none is named.
     *
     * @throws Refused no version has the tag
     */
    static OptionalLong against(String id, List<Job> versions, OptionalLong number, String tag) throws Refused {
        if (tag.isEmpty()) {
            return number;
        }
        if (number.isPresent()) {
            throw QueryParams.malformed("diff_version and diff_tag are both given: leave one of them out");
        }
        for (Job job : versions) {
            JobVersionTag has = job.VersionTag();
            if (has != null && has.Name().equals(tag)) {
                return OptionalLong.of(Objects.requireNonNull(job.Version()));
            }
        }
        throw new Refused(new Refusal.Invalid("job "
                + TextRule.quoted(id)
                + " has no version with the tag "
                + TextRule.quoted(tag)
                + " to compare with"));
    }
}
