package io.cleat.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Refused;
import io.cleat.model.JobLaunch;
import io.cleat.model.JobSpec;
import io.cleat.model.PayloadRule;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What has a job run, as JSON has it. What is given -> what is wrong, and what becomes of it. */
final class LaunchRulesTest {
    private static final StoredJob STORED = new StoredJob(0, 1, 1, 1, "running", "", false, false, 0);

    private static Job job(String parts) throws Refused {
        String text = "{'ID':'j','Type':'batch',"
                + parts
                + ",'TaskGroups':[{'Name':'g','Tasks':[{'Name':'t','Driver':'exec','Config':{'command':'c'}}]}]}";
        return Canonical.stored(Json.read(text.replace('\'', '"'), Job.class));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    'Periodic':{} | Must specify a spec
                    'Periodic':{'Spec':'* * *'} | Invalid cron spec "* * *": has 3 fields
                    'Periodic':{'Spec':'0 0 30 2 *'} | there is no such day
                    'Periodic':{'Spec':'0 3 * * *','Specs':['@daily']} | Only cron or crons may be used
                    'Periodic':{'Specs':['@daily','@x']} | "@x" is not known
                    'Periodic':{'Spec':'0 3 * * *','SpecType':'test'} | Unknown periodic specification type "test"
                    'Periodic':{'Spec':'0 3 * * *','TimeZone':'Mars/Olympus'} | Invalid time zone "Mars/Olympus"
                    'Periodic':{'Spec':'0 3 * * *','TimeZone':'Local'} | Invalid time zone "Local"
                    'Type':'service','Periodic':{'Spec':'0 3 * * *'} | Periodic can only be used with "batch"
                    'Type':'system','ParameterizedJob':{} | Parameterized job can only be used with "batch"
                    'ParameterizedJob':{'Payload':'maybe'} | Unknown payload requirement: "maybe"
                    'ParameterizedJob':{'MetaRequired':['a','b'],'MetaOptional':['b']} | exist in both: [b]
                    'Periodic':{'Spec':'@daily'},'ParameterizedJob':{} | periodic and parameterized are both given
                    'ParentID':'other' | parent job is not supported
                    """)
    void whatIsFaulty_isSaid(String parts, String words) throws Refused {
        String all = String.join("\n", JobValidation.faults(job(parts)));
        assertTrue(all.contains(words), all);
    }

    @Test
    void aTimesIdIsBehindTheJobs_soThatOneMayNotBeTooLong() throws Refused {
        String id = "x".repeat(216);
        Job job = job("'Periodic':{'Spec':'@daily'},'Name':'n','Meta':{'id':'1'}");
        assertEquals(List.of(), JobValidation.faults(job));
        String text = Json.text(job).replace("\"ID\":\"j\"", "\"ID\":\"" + id + "\"");
        String all = String.join("\n", JobValidation.faults(Json.read(text, Job.class)));
        assertTrue(all.contains("Job ID is too long for a job that has copies run"), all);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    ../input         | escapes the task's local directory
                    /etc/input       | escapes the task's local directory
                    a/../../input    | escapes the task's local directory
                    ''               | Dispatch payload requires a file
                    in/put.json      |
                    """)
    void whereATaskWantsWhatWasSentAlong_isBelowItsLocalDirectory(String file, String words) throws Refused {
        String text = """
                {"ID":"j","Type":"batch","ParameterizedJob":{},"TaskGroups":[{"Name":"g","Tasks":[
                 {"Name":"t","Driver":"exec","Config":{"command":"c"},
                  "DispatchPayload":{"File":"%s"}}]}]}
                """.formatted(file);
        List<String> faults = JobValidation.faults(Canonical.stored(Json.read(text, Job.class)));
        assertTrue(words == null ? faults.isEmpty() : String.join("\n", faults).contains(words), faults::toString);
        String without = text.replace("\"ParameterizedJob\":{},", "");
        String all = String.join("\n", JobValidation.faults(Canonical.stored(Json.read(without, Job.class))));
        assertTrue(all.contains("the job has no parameterized block"), all);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    'Periodic':{'Spec':'0 3 * * *'}
                    'Periodic':{'Specs':['0 3 * * *','@weekly'],'Enabled':false,'ProhibitOverlap':true,'TimeZone':'Europe/Berlin'}
                    'ParameterizedJob':{}
                    'ParameterizedJob':{'Payload':'required','MetaRequired':['b','a'],'MetaOptional':['c']}
                    """)
    void whatIsSaid_survivesTheModel(String parts) throws Refused {
        Job job = job(parts);
        assertEquals(List.of(), JobValidation.faults(job));
        JobSpec spec = JobConversion.toSpec(job);
        Job shown = JobConversion.toJob(spec, STORED);
        assertEquals(spec, JobConversion.toSpec(shown));
        assertEquals(job.Periodic(), shown.Periodic());
        assertEquals(job.ParameterizedJob(), shown.ParameterizedJob());
    }

    @Test
    void whatIsNotSaid_isFilledIn() throws Refused {
        assertEquals(
                new PeriodicConfig(true, false, "0 3 * * *", "cron", null, "UTC"),
                job("'Periodic':{'Spec':'0 3 * * *'}").Periodic());
        assertEquals(
                new ParameterizedJobConfig(null, null, "optional"),
                job("'ParameterizedJob':{}").ParameterizedJob());
        assertEquals(
                new JobLaunch.Parameterized(PayloadRule.OPTIONAL, List.of(), List.of()),
                JobConversion.toSpec(job("'ParameterizedJob':{}")).launch());
    }
}
