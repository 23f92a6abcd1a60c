package io.cleat.clusterapi.jobs;

import io.cleat.api.Canonical;
import io.cleat.api.Edit;
import io.cleat.api.Job;
import io.cleat.api.JobConversion;
import io.cleat.api.JobValidation;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.model.JobSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a user says of a job, on its way into the model. */
final class JobText {
    private JobText() {}

    /**
     * The job, every default filled in.
     *
     * @throws Refused {@link Refusal.Invalid} with all its faults
     */
    static JobSpec checked(Job given, String namespace) throws Refused {
        Job job = Canonical.stored(inNamespace(given, namespace));
        requireValid(job);
        return JobConversion.toSpec(job);
    }

    /** @throws Refused {@link Refusal.Invalid} with all that is wrong with a job */
    static void requireValid(Job job) throws Refused {
        List<String> faults = JobValidation.faults(job);
        if (!faults.isEmpty()) {
            // One text for all, as the wire has it, also when there is only one fault.
            throw new Refused(new Refusal.Invalid(io.cleat.api.Faults.render(faults)));
        }
    }

    /** The job's own namespace wins over the request's. */
    static Job inNamespace(Job given, String namespace) {
        if (given.Namespace() != null && !given.Namespace().isEmpty()) {
            return given;
        }
        return Edit.of(given).set(Job::Namespace, namespace).done();
    }

    /** @throws Refused there is none */
    static Job given(@Nullable Job given) throws Refused {
        if (given == null) {
            throw new Refused(new Refusal.Malformed("Job must be specified"));
        }
        return given;
    }
}
