import Testing

@testable import S3

/// The URLs of stores, as people write them.
struct AddressTests {
    @Test func `a bucket is named in the path or in the host`() throws {
        let endpoint = try S3Endpoint("https://S3.Example.com:9000/")
        let path = try S3Bucket("builds", endpoint: endpoint)
        #expect(path.authority == "s3.example.com:9000")
        #expect(path.path(of: "a b/c") == "/builds/a%20b/c" && path.path(of: nil) == "/builds")
        let host = try S3Bucket("builds", endpoint: endpoint, style: .virtualHost)
        #expect(host.authority == "builds.s3.example.com:9000")
        #expect(host.path(of: "a") == "/a" && host.path(of: nil) == "/")
        let amazon = try S3Bucket("builds", region: "eu-central-1")
        #expect(amazon.authority == "builds.s3.eu-central-1.amazonaws.com")
        // A wildcard certificate does not match two levels of names.
        #expect(try S3Bucket("my.builds").style == .path)
    }

    @Test func `plain text has to be allowed`() throws {
        #expect(throws: MalformedS3Address.plainText("http://a.example")) {
            try S3Endpoint("http://a.example")
        }
        #expect(try S3Endpoint("http://a.example:80", allowsPlainText: true).port == nil)
    }

    @Test(arguments: [
        "", "s3.example.com", "https://", "https://a b", "https://a/b", "https://a:0",
        "https://a:99999", "https://a:x", "https://u@a", "ftp://a", "https://a?x", "https://a:+1",
    ])
    func `what is no address of a server is refused`(text: String) {
        #expect(throws: MalformedS3Address.self) { try S3Endpoint(text) }
    }

    @Test(arguments: [
        "", "ab", "Builds", "-ab", "ab-", "a_b", "a/b", String(repeating: "a", count: 64),
    ])
    func `what is no name of a bucket is refused`(name: String) {
        #expect(throws: MalformedS3Address.bucket(name)) { try S3Bucket(name) }
    }

    @Test func `a store is a folder of a bucket`() throws {
        #expect(try S3Location("s3://builds").prefix == "")
        #expect(try S3Location("s3://builds/").prefix == "")
        #expect(try S3Location("s3://builds/ota/prod/").prefix == "ota/prod")
        for text in [
            "builds", "s3://", "s3:///a", "s3://b//a", "s3://b/../a", "s3://b/a b", "s3://b/@x",
        ] {
            #expect(throws: MalformedS3Address.location(text)) { try S3Location(text) }
        }
    }
}
