package io.cleat.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Refused;
import io.cleat.model.JobSpec;
import io.cleat.model.Scaling;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Between which counts a group is scaled, as JSON has it. What is given -> what becomes of it. */
final class ScalingRulesTest {
    private static final StoredJob STORED = new StoredJob(0, 1, 1, 1, "running", "", false, false, 0);

    private static Job job(String type, String group) throws Refused {
        String text = "{'ID':'j','Type':'"
                + type
                + "','TaskGroups':[{'Name':'g',"
                + group
                + ",'Tasks':[{'Name':'t','Driver':'exec','Config':{'command':'c'}}]}]}";
        return Canonical.stored(Json.read(text.replace('\'', '"'), Job.class));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    service | 'Scaling':{} | maximum count must be specified: set max
                    service | 'Scaling':{'Max':1,'Min':2} | maximum count must not be less than minimum count
                    service | 'Scaling':{'Max':1,'Min':-1},'Count':1 | minimum count must be 0 or more, given -1
                    service | 'Scaling':{'Max':4,'Min':2},'Count':1 | must not be less than minimum count in scaling policy: given 1, min is 2
                    service | 'Scaling':{'Max':4,'Min':2},'Count':5 | must not be greater than maximum count in scaling policy: given 5, max is 4
                    service | 'Scaling':{'Max':9999999999} | maximum count must be at most 2147483647
                    service | 'Scaling':{'Max':4,'Type':'vertical_cpu'} | unknown type "vertical_cpu"; expected horizontal
                    service | 'Scaling':{'Max':4,'Policy':[1]} | policy must be an object
                    service | 'Scaling':{'Max':4,'Policy':{'a':[null]}} | expected a value at policy.a[0], given null
                    system | 'Scaling':{'Max':1} | a system job has an allocation on each node
                    sysbatch | 'Scaling':{'Max':1} | a sysbatch job has an allocation on each node
                    """)
    void whatIsFaulty_isSaid(String type, String group, String words) throws Refused {
        String all = String.join("\n", JobValidation.faults(job(type, group)));
        assertTrue(all.contains(words), all);
    }

    @Test
    void whatIsLeftOut_isFilledIn() throws Refused {
        Job job = job("service", "'Count':3,'Scaling':{'Max':9,'Policy':{'cooldown':'1m'}}");
        assertEquals(List.of(), JobValidation.faults(job));
        JobSpec spec = JobConversion.toSpec(job);
        assertEquals(
                new Scaling(true, 3, 9, Map.of("cooldown", "1m")),
                spec.groups().getFirst().scaling());
        ScalingPolicy shown = Objects.requireNonNull(
                        JobConversion.toJob(spec, STORED).TaskGroups())
                .getFirst()
                .Scaling();
        assertEquals(
                new ScalingPolicy(
                        0,
                        true,
                        Scaling.idOf(spec.id(), "g"),
                        9L,
                        3L,
                        0,
                        Json.read("{\"cooldown\":\"1m\"}", RawJson.class),
                        Map.of("Namespace", "default", "Job", "j", "Group", "g"),
                        "horizontal"),
                shown);
    }

    @Test
    void theShownJob_meansTheSameJobAgain() throws Refused {
        JobSpec spec = JobConversion.toSpec(job("service", "'Scaling':{'Max':9,'Min':0,'Enabled':false},'Count':2"));
        Job shown = JobConversion.toJob(spec, STORED);
        assertEquals(spec, JobConversion.toSpec(Canonical.stored(shown)));
    }

    /** As users of an autoscaler write it, who say nothing of the count. */
    @Test
    void aCountThatIsLeftOut_isTheMinimum() throws Refused {
        Job job = job("service", "'Scaling':{'Max':9,'Min':4}");
        assertEquals(4, JobConversion.toSpec(job).groups().getFirst().count());
        assertEquals(List.of(), JobValidation.faults(job));
    }
}
