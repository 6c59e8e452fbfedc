import APIDocuments
import Administration
import Cryptography
import Foundation
import Identifiers
import Jobs
import Releases
import Testing

struct JobEntryTests {
    @Test func `a job shows no paths of the server to those who may not see them`() throws {
        let date = Date(timeIntervalSince1970: 1_800_000_000)
        var job = Job(
            JobIdentifier(at: date, random: randomBytes),
            toSign: ReleaseIdentifier(version: "1.0", build: "1"),
            of: try #require(BundleIdentifier("com.example.forks")),
            as: SigningTask(team: "ABCDE12345", reason: "requested"),
            by: "ada",
            at: date,
        )
        job.reason = "/srv/ota/incoming cannot be written, nor “/etc/ota/key” (and/or its copy)"
        job.fix = "give --key-file /etc/ota/key"
        let entry = JobEntry(job, app: nil)
        #expect(entry.reason == job.reason)
        #expect(entry.withoutPaths.reason == "… cannot be written, nor … (and/or its copy)")
        #expect(entry.withoutPaths.fix == "give --key-file …")
    }

    @Test func `what was cancelled asks nobody for anything`() throws {
        let date = Date(timeIntervalSince1970: 1_800_000_000)
        var job = Job(
            JobIdentifier(at: date, random: randomBytes),
            .registerDevice,
            for: try #require(TeamIdentifier("ABCDE12345")),
            because: "requested",
            by: "ada",
            at: date,
            due: date,
        )
        job.reason = "an agreement is missing"
        job.fix = "accept it"
        #expect(JobEntry(job, app: nil).fix == "accept it")
        job.state = .cancelled
        #expect(JobEntry(job, app: nil).fix == nil)
    }
}
