package io.cleat.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Refused;
import io.cleat.model.AddressMode;
import io.cleat.model.CheckRestart;
import io.cleat.model.JobSpec;
import io.cleat.model.OnUpdate;
import io.cleat.model.ServiceCheck;
import io.cleat.model.ServiceProbe;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Services and their checks. What is given -> what is wrong, and what becomes of it. */
final class ServiceRulesTest {
    private static final StoredJob STORED = new StoredJob(0, 1, 1, 1, "running", "", false, false, 0);
    private static final String TIMES = "'Interval':10000000000,'Timeout':2000000000,";

    private static Job job(String ofGroup, String ofTask) throws Refused {
        String text = "{'ID':'j','TaskGroups':[{'Name':'g','Services':["
                + ofGroup
                + "],'Tasks':[{'Name':'t','Services':["
                + ofTask
                + "],'Driver':'exec','Config':{'command':'c'}}]}]}";
        return Canonical.stored(Json.read(text.replace('\'', '"'), Job.class));
    }

    private static String faults(String ofGroup, String ofTask) throws Refused {
        return String.join("\n", JobValidation.faults(job(ofGroup, ofTask)));
    }

    private static String nomad(String parts) {
        return "{'Provider':'nomad','PortLabel':'8080'," + parts + "'Name':'web'}";
    }

    private static String check(String parts) {
        return nomad("'Checks':[{" + TIMES + parts + "}],");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    'Name':'a_b', | service name "a_b" must be valid per RFC 1123
                    'AddressMode':'driver', | address_mode "driver" is for services of a task, whose driver gives it an address
                    'AddressMode':'driver','TaskName':'t', | address_mode "driver" is for tasks whose driver gives them an address of their own; exec gives none: use auto
                    'AddressMode':'alloc', | address_mode "alloc" is for groups with an address of their own: set network { mode = "bridge" } or a CNI network, or use auto
                    'AddressMode':'alloc_ipv6', | address_mode "alloc_ipv6" is not supported by this version of Cleat; use auto, host, alloc or driver
                    'AddressMode':'near', | address_mode must be auto, host, alloc or driver; got "near"
                    'AddressMode':'host','Address':'a', | address is used with address_mode = "auto" only
                    'OnUpdate':'never', | on_update must be require_healthy, ignore_warnings or ignore; got "never"
                    'Connect':{'Native':true}, | connect is for services of the provider "consul" only; remove it
                    'EnableTagOverride':true, | enable_tag_override is for services of the provider "consul"
                    'TaggedAddresses':{'lan':'a'}, | tagged_addresses is for services of the provider "consul"
                    'TaskName':'x', | task "x" is not one of the group's tasks
                    'Tags':['a\\nb'], | tags "a
                    """)
    void aServiceThatCannotBe_isRefusedWithWhatToDo(String parts, String words) throws Refused {
        String name = parts.startsWith("'Name'") ? "" : "'Name':'web',";
        String all = faults("{'Provider':'nomad','PortLabel':'8080'," + name + parts + "'Kind':''}", "");
        assertTrue(all.contains(words), all);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    'Type':'grpc' | type "grpc" is not supported by this version of Cleat; use tcp, http or script
                    'Type':'udp' | type must be tcp, http or script; got "udp"
                    'Type':'http' | http type must have path
                    'Type':'http','Path':'health' | path "health" must begin with a slash
                    'Type':'http','Path':'/a b' | must be percent-encoded
                    'Type':'http','Path':'/','Protocol':'ftp' | protocol must be http or https; got "ftp"
                    'Type':'http','Path':'/','Method':'G T' | method "G T" is no method of HTTP
                    'Type':'http','Path':'/','Header':{'a b':['c']} | header "a b" is no name of a header
                    'Type':'http','Path':'/','Header':{'Connection':['close']} | belongs to the connection
                    'Type':'tcp','Path':'/' | path is for checks of type "http"; remove it
                    'Type':'tcp','Command':'c' | command is for checks of type "script"; remove it
                    'Type':'script','TaskName':'t' | script type must have command
                    'Type':'script','Command':'c' | must say in which task it runs: set task
                    'Type':'script','Command':'c','TaskName':'t','PortLabel':'1' | port and address_mode are not for checks of type "script"
                    'Type':'tcp','Interval':1000 | cannot be lower than 1s
                    'Type':'tcp','Timeout':700000000000 | cannot be longer than 10m
                    'Type':'tcp','Interval':0 | interval is required
                    'Type':'tcp','PortLabel':'db' | port "db" is neither a port of the group's network blocks (there is none) nor a number
                    'Type':'tcp','PortLabel':'65536' | nor a number from 1 to 65535
                    'Type':'tcp','TaskName':'x' | task "x" is not one of the group's tasks
                    'Type':'tcp','OnUpdate':'ignore','CheckRestart':{'Limit':1} | "ignore" is not compatible with check_restart
                    'Type':'tcp','OnUpdate':'ignore_warnings','CheckRestart':{'Limit':1} | needs check_restart ignore_warnings = true
                    'Type':'tcp','CheckRestart':{'Limit':-1} | limit cannot be less than zero
                    'Type':'tcp','FailuresBeforeCritical':2 | failures_before_critical is for services of the provider "consul"
                    """)
    void aCheckThatCannotBe_isRefusedWithWhatToDo(String parts, String words) throws Refused {
        String all = faults(check(parts), "");
        assertTrue(all.contains(words), all);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "'Provider':'consul',"})
    void ofConsul_theWayOnIsSaid_onceForEachService(String provider) throws Refused {
        String all = faults("{" + provider + "'Name':'web','PortLabel':'x'}", "");
        assertTrue(
                all.contains("service provider \"consul\", which is the default, is not supported by this"
                        + " version of Cleat; set provider = \"nomad\""),
                all);
        assertTrue(!all.contains("neither a port"), all);
    }

    @Test
    void ofTwoServices_nameAndPortTogetherDiffer() throws Refused {
        assertTrue(faults(nomad("") + "," + nomad(""), "").contains("is that of another service"));
        assertTrue(faults(nomad(""), nomad("")).contains("is that of another service"));
        assertEquals("", faults(nomad("'PortLabel':'81',") + "," + nomad(""), ""));
    }

    @Test
    void checksOfOneService_haveNamesOfTheirOwn() throws Refused {
        String one = "{" + TIMES + "'Name':'a','Type':'tcp'}";
        assertTrue(faults(nomad("'Checks':[" + one + "," + one + "],"), "")
                .contains("another check of the service has this name too"));
    }

    @Test
    void whatIsLeftOut_isFilledIn() throws Refused {
        Job job = job(
                "{'Provider':'nomad','CheckRestart':{'Limit':3},'OnUpdate':'require_healthy',"
                        + "'PortLabel':'80','Checks':[{"
                        + TIMES
                        + "'Type':'tcp'},{"
                        + TIMES
                        + "'Type':'http','Path':'/','Name':'own','CheckRestart':{'Limit':1,'Grace':5}}]}",
                "{'Provider':'nomad','PortLabel':'81'},"
                        + "{'Provider':'nomad','PortLabel':'82','Name':'${JOB}-${TASK}-x'}");
        assertEquals(List.of(), JobValidation.faults(job));
        JobSpec spec = JobConversion.toSpec(job);
        List<io.cleat.model.Service> all = spec.groups().getFirst().allServices();
        assertEquals(
                List.of("j-g", "j-g-t", "j-t-x"),
                all.stream().map(io.cleat.model.Service::name).toList());
        assertEquals(
                List.of("", "t", "t"),
                all.stream().map(io.cleat.model.Service::task).toList());
        ServiceCheck first = all.getFirst().checks().getFirst();
        assertEquals("service: \"j-g\" check", first.name());
        assertEquals(new CheckRestart(3, Duration.ofSeconds(1), false), first.restart());
        assertEquals(OnUpdate.REQUIRE_HEALTHY, first.onUpdate());
        assertEquals(
                new CheckRestart(1, Duration.ofNanos(5), false),
                all.getFirst().checks().get(1).restart());
        assertEquals(AddressMode.AUTO, all.getFirst().addressMode());
    }

    @Test
    void everyValueComesBack_andTheFormIsStable() throws Refused {
        Job job = job(
                "{'Provider':'nomad','Name':'web-${NOMAD_ALLOC_INDEX}','PortLabel':'8080',"
                        + "'Address':'${meta.public}','Tags':['a','b'],'CanaryTags':['c'],"
                        + "'Meta':{'m':'n'},'CanaryMeta':{'o':'p'},'OnUpdate':'ignore',"
                        + "'Checks':[{"
                        + TIMES
                        + "'Type':'http','Path':'/h?a=b','Method':'POST','Protocol':'https',"
                        + "'TLSSkipVerify':true,'Body':'x','Header':{'X-A':['1','2']},"
                        + "'PortLabel':'81','AddressMode':'host'},{"
                        + TIMES
                        + "'Name':'s','Type':'script','Command':'c','Args':['-v'],'TaskName':'t'}]}",
                nomad("'PortLabel':'9',"));
        assertEquals(List.of(), JobValidation.faults(job));
        JobSpec spec = JobConversion.toSpec(job);
        Job shown = JobConversion.toJob(spec, STORED);
        assertEquals(spec, JobConversion.toSpec(shown));
        assertEquals(groups(job), groups(shown));
        assertEquals(
                new ServiceProbe.Http("POST", "/h?a=b", true, true, Map.of("X-A", List.of("1", "2")), "x"),
                spec.groups()
                        .getFirst()
                        .services()
                        .getFirst()
                        .checks()
                        .getFirst()
                        .probe());
    }

    private static String groups(Job job) throws Refused {
        return Json.text(java.util.Objects.requireNonNull(job.TaskGroups()));
    }

    @Test
    void more_thanAGroupMayHave_areRefused() throws Refused {
        StringBuilder many = new StringBuilder();
        for (int port = 1; port <= 51; port++) {
            many.append(many.isEmpty() ? "" : ",").append(nomad("'PortLabel':'" + port + "',"));
        }
        String all = faults(many.toString(), "");
        assertTrue(all.contains("have 51 services; the most is 50"), all);
    }
}
