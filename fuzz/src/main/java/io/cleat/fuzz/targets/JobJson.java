package io.cleat.fuzz.targets;

import io.cleat.api.Job;
import io.cleat.api.JobConversion;
import io.cleat.api.JobRegisterRequest;
import io.cleat.api.Json;
import io.cleat.api.StoredJob;
import io.cleat.fuzz.Filled;
import io.cleat.fuzz.JsonText;
import io.cleat.fuzz.Target;
import io.cleat.testkit.FullJob;
import java.util.ArrayList;
import java.util.List;

/** The body of {@code PUT /v1/jobs}, to the log and back. */
final class JobJson implements Target {
    @Override
    public String name() {
        return "job-json";
    }

    @Override
    public String about() {
        return "jobs as JSON: read, checked, converted, stored, read back";
    }

    @Override
    public List<byte[]> samples() throws Exception {
        List<byte[]> samples = new ArrayList<>();
        List<Job> jobs = new ArrayList<>(Samples.jobs());
        jobs.add(JobConversion.toJob(
                FullJob.specOfVersion2(), new StoredJob(0, 1, 1, 1, "pending", "", false, false, 0)));
        for (Job job : jobs) {
            samples.add(Json.write(new JobRegisterRequest(false, 0, job, 0, "", false, false, false, "", null)));
        }
        samples.add(Samples.bytes(JsonText.of(Filled.of(JobRegisterRequest.class))));
        return samples;
    }

    @Override
    public void run(byte[] input) throws Exception {
        Job job = Json.read(input, JobRegisterRequest.class).Job();
        if (job != null) {
            JobRoundTrip.go(job);
        }
    }
}
