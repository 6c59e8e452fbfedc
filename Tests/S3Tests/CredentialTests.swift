import Foundation
import HTTPCalling
import Testing

@testable import S3

/// Credentials from all possible sources, and how long they are used.
struct CredentialTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private static let file = """
        # of the team
        [default]
        aws_access_key_id = AKID
        aws_secret_access_key=s=e=c

        [ builds ]
        aws_access_key_id = OTHER
        aws_secret_access_key = secret
        aws_session_token = token
        [broken]
        aws_access_key_id = ONLY
        """

    private static func chain(
        _ environment: [String: String],
        _ transport: ScriptedStore = ScriptedStore([]),
        file: String? = file,
    ) -> S3CredentialChain {
        S3CredentialChain(
            environment: environment,
            file: { path in path == "/keys" ? file.map { Array($0.utf8) } : nil },
            transport: transport,
        )
    }

    @Test func `the environment comes before the file`() throws {
        let environment = [
            "AWS_ACCESS_KEY_ID": "ENV", "AWS_SECRET_ACCESS_KEY": "x",
            "AWS_SHARED_CREDENTIALS_FILE": "/keys",
        ]
        #expect(try Self.chain(environment).credentials(at: Self.now)?.accessKey == "ENV")
    }

    @Test func `the file has a section for each profile`() throws {
        var environment = ["AWS_SHARED_CREDENTIALS_FILE": "/keys"]
        #expect(
            try Self.chain(environment).credentials(at: Self.now)
                == S3Credentials(accessKey: "AKID", secret: "s=e=c")
        )
        environment["AWS_PROFILE"] = "builds"
        #expect(
            try Self.chain(environment).credentials(at: Self.now)
                == S3Credentials(accessKey: "OTHER", secret: "secret", sessionToken: "token")
        )
        for profile in ["broken", "none"] {
            environment["AWS_PROFILE"] = profile
            #expect(throws: S3Failure.self) {
                try Self.chain(environment).credentials(at: Self.now)
            }
        }
    }

    @Test func `a file that was named must be there`() throws {
        let named = ["AWS_SHARED_CREDENTIALS_FILE": "/none", "AWS_EC2_METADATA_DISABLED": "true"]
        #expect(throws: S3Failure.self) { try Self.chain(named).credentials(at: Self.now) }
        let unnamed = ["HOME": "/home/ota", "AWS_EC2_METADATA_DISABLED": "true"]
        #expect(try Self.chain(unnamed).credentials(at: Self.now) == nil)
    }

    private static let role = """
        {"Code": "Success", "AccessKeyId": "ASIA", "SecretAccessKey": "s", "Token": "t",
        "Expiration": "2027-01-15T14:00:00Z"}
        """

    private static func metadata() -> ScriptedStore {
        ScriptedStore([
            ScriptedStore.answer(200, [:], "session"),
            ScriptedStore.answer(200, [:], "builder\n"),
            ScriptedStore.answer(200, [:], role),
        ])
    }

    @Test func `a machine with a role asks its metadata`() throws {
        let transport = Self.metadata()
        let found = try Self.chain([:], transport).credentials(at: Self.now)
        #expect(found?.accessKey == "ASIA" && found?.sessionToken == "t")
        #expect(found?.expiration == Date(timeIntervalSince1970: 1_800_021_600))
        #expect(transport.requests.map(\.method) == ["PUT", "GET", "GET"])
        #expect(transport.requests[1].headers["x-aws-ec2-metadata-token"] == "session")
        #expect(transport.requests[2].address.hasSuffix("/security-credentials/builder"))
    }

    @Test func `they are renewed before they end, and kept while that fails`() throws {
        let clock = PausedClock()
        let transport = ScriptedStore([
            ScriptedStore.answer(200, [:], "session"),
            ScriptedStore.answer(200, [:], "builder"),
            ScriptedStore.answer(200, [:], Self.role),
        ])
        let cache = S3CredentialCache(
            S3CredentialChain([InstanceMetadata(transport: transport)]),
            now: clock.timing.now,
        )
        #expect(try cache.current().accessKey == "ASIA")
        clock.advance(by: 21_000)
        #expect(try cache.current().accessKey == "ASIA")
        #expect(transport.requests.count == 3)
        // Five minutes before they expire, it requests new ones, and uses the old ones until then.
        clock.advance(by: 400)
        #expect(try cache.current().accessKey == "ASIA")
        #expect(transport.requests.count == 4)
        clock.advance(by: 300)
        #expect(throws: S3Failure.noCredentials) { try cache.current() }
    }

    @Test func `a key that was replaced in its file is fetched again once`() throws {
        let refusal = ScriptedStore.refusal(403, "InvalidAccessKeyId")
        let facts = ["etag": "\"1\"", "content-length": "0"]
        let transport = ScriptedStore([refusal, ScriptedStore.answer(200, facts)])
        guard case .found = try client(transport).read("a") else {
            Issue.record("nothing was found")
            return
        }
        let stays = ScriptedStore([refusal, refusal])
        #expect(throws: S3Failure.keyRefused(code: "InvalidAccessKeyId")) {
            try client(stays).read("a")
        }
        #expect(stays.requests.count == 2)
    }
}
