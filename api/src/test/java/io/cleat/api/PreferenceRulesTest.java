package io.cleat.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Refused;
import io.cleat.model.JobSpec;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What nodes should be. What is given -> what is wrong, and what becomes of it. */
final class PreferenceRulesTest {
    private static final StoredJob STORED = new StoredJob(0, 1, 1, 1, "running", "", false, false, 0);

    private static Job job(String ofJob, String ofTask) throws Refused {
        String text = "{'ID':'j',"
                + ofJob
                + "'TaskGroups':[{'Name':'g','Tasks':[{"
                + ofTask
                + "'Name':'t','Driver':'exec','Config':{'command':'c'}}]}]}";
        return Canonical.stored(Json.read(text.replace('\'', '"'), Job.class));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    'Affinities':[{'LTarget':'${node.class}','RTarget':'a','Weight':0}] | Affinity weight cannot be zero
                    'Affinities':[{'LTarget':'${node.class}','RTarget':'a','Weight':101}] | must be within the range [-100,100], got 101
                    'Affinities':[{'RTarget':'a'}] | No LTarget provided but is required by affinity
                    'Affinities':[{'LTarget':'a','RTarget':'a','Operand':'distinct_hosts'}] | Unknown affinity type "distinct_hosts"
                    'Affinities':[{'LTarget':'a','RTarget':'(','Operand':'regexp'}] | Regular expression failed to compile
                    'Spreads':[{}] | Missing spread attribute
                    'Spreads':[{'Attribute':'a','Weight':-1}] | positive weight from 1 to 100, got -1
                    'Spreads':[{'Attribute':'a','SpreadTarget':[{'Value':'x','Percent':60},{'Value':'y','Percent':60}]}] | got 120%
                    'Spreads':[{'Attribute':'a','SpreadTarget':[{'Value':'x','Percent':1},{'Value':'x','Percent':1}]}] | "x" already defined
                    'Spreads':[{'Attribute':'a','SpreadTarget':[{'Value':'x','Percent':-1}]}] | between 0 and 100, got -1
                    'Type':'system','Spreads':[{'Attribute':'a'}] | System jobs may not have a spread block
                    'Type':'system','Affinities':[{'LTarget':'a','RTarget':'a'}] | System jobs may not have an affinity block
                    'Constraints':[{'Operand':'distinct_property','LTarget':'a','RTarget':'0'}] | Failed to convert RTarget "0"
                    'Constraints':[{'Operand':'distinct_property'}] | No LTarget provided
                    """)
    void whatIsFaulty_isSaid(String parts, String words) throws Refused {
        String all = String.join("\n", JobValidation.faults(job(parts + ",", "")));
        assertTrue(all.contains(words), all);
    }

    @Test
    void ofATaskToo() throws Refused {
        String all = String.join(
                "\n", JobValidation.faults(job("", "'Affinities':[{'LTarget':'a','RTarget':'b','Weight':0}],")));
        assertTrue(all.contains("Affinity weight cannot be zero"), all);
    }

    @Test
    void whatIsSaid_survivesTheModel_andWhatIsNot_isFilledIn() throws Refused {
        Job job = job(
                "'Affinities':[{'LTarget':'${node.class}','RTarget':'big'}],"
                        + "'Spreads':[{'Attribute':'${node.datacenter}','SpreadTarget':"
                        + "[{'Value':'dc1','Percent':70}]}],",
                "'Affinities':[{'LTarget':'a','RTarget':'b','Weight':-20}],");
        assertEquals(List.of(), JobValidation.faults(job));
        assertEquals(List.of(new Affinity("${node.class}", "=", "big", 50)), job.Affinities());
        assertEquals(
                List.of(new Spread("${node.datacenter}", List.of(new SpreadTarget(70, "dc1")), 50)), job.Spreads());
        JobSpec spec = JobConversion.toSpec(job);
        Job shown = JobConversion.toJob(spec, STORED);
        assertEquals(spec, JobConversion.toSpec(shown));
        assertEquals(job.Affinities(), shown.Affinities());
        assertEquals(job.Spreads(), shown.Spreads());
    }
}
