package io.cleat.fuzz.targets;

import io.cleat.api.Canonical;
import io.cleat.api.Job;
import io.cleat.api.JobConversion;
import io.cleat.api.JobValidation;
import io.cleat.api.Json;
import io.cleat.api.StoredJob;
import io.cleat.base.Refused;
import io.cleat.codec.RecordCodec;
import io.cleat.model.JobSpec;

/** The road of a job from the door to the log and back, which every job takes that was read. */
final class JobRoundTrip {
    private static final RecordCodec<JobSpec> STORED = RecordCodec.stored("fuzz", 1, JobSpec.class);
    private static final StoredJob FIRST = new StoredJob(0, 1, 1, 1, "pending", "", false, false, 0);

    private JobRoundTrip() {}

    static void go(Job sent) throws Exception {
        JobValidation.faults(sent);
        Job job = Canonical.sent(sent);
        Json.write(job);
        try {
            JobValidation.require(job);
        } catch (Refused bad) {
            Json.write(bad.refusal().message());
            throw bad;
        }
        JobSpec spec = JobConversion.toSpec(job);
        JobSpec again = STORED.decode(STORED.encode(spec));
        if (!again.equals(spec)) {
            throw new AssertionError("a job is stored and reads back as another: " + again);
        }
        Job shown = JobConversion.toJob(again, FIRST);
        Job read = Json.read(Json.write(shown), Job.class);
        if (!Json.text(read).equals(Json.text(shown))) {
            throw new AssertionError("a job is shown and reads back as another: " + read);
        }
    }
}
