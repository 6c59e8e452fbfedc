import Foundation
import Testing

@testable import S3

/// Version 4 signatures, compared with the examples in Amazon's documentation.
struct SignatureTests {
    /// The examples of "Signature Calculations for the Authorization Header" and "Authenticating Requests:
    /// Using Query Parameters": 24 May 2013, `us-east-1`, the bucket `examplebucket`.
    private static let date = Date(timeIntervalSince1970: 1_369_353_600)
    private static let signer = RequestSigner(
        credentials: S3Credentials(
            accessKey: "AKIAIOSFODNN7EXAMPLE",
            secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        ),
        region: "us-east-1",
    )
    private static let host = ["host": "examplebucket.s3.amazonaws.com"]
    private static let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    private static func signature(
        _ subject: RequestSigner.Subject,
        payload: String = nothing,
    ) -> String? {
        signer.headers(for: subject, payload: payload, at: date)["authorization"]
    }

    private static let start =
        "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"

    @Test func `a ranged GET is signed as in the documentation`() {
        let subject = RequestSigner.Subject(
            method: "GET",
            path: "/test.txt",
            query: [],
            headers: Self.host.merging(["range": "bytes=0-9"]) { _, new in new },
        )
        #expect(
            Self.signature(subject) == Self.start
                + "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,"
                + "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
        )
    }

    @Test func `a PUT is signed as in the documentation`() {
        let subject = RequestSigner.Subject(
            method: "PUT",
            path: "/" + PercentEncoding.path("test$file.text"),
            query: [],
            headers: Self.host.merging([
                "date": "Fri, 24 May 2013 00:00:00 GMT",
                "x-amz-storage-class": "REDUCED_REDUNDANCY",
            ]) { _, new in new },
        )
        let payload = "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072"
        #expect(
            Self.signature(subject, payload: payload) == Self.start
                + "SignedHeaders=date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class,"
                + "Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"
        )
    }

    @Test(arguments: [
        (
            [("lifecycle", "")],
            "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
        ),
        (
            [("prefix", "J"), ("max-keys", "2")],
            "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
        ),
    ])
    func `a query is signed as in the documentation`(
        query: [(String, String)],
        expected: String,
    ) throws {
        let subject = RequestSigner.Subject(
            method: "GET",
            path: "/",
            query: query.map { (name: $0.0, value: $0.1) },
            headers: Self.host,
        )
        #expect(try #require(Self.signature(subject)).hasSuffix("Signature=" + expected))
    }

    @Test func `an address that ends is signed as in the documentation`() {
        let subject = RequestSigner.Subject(
            method: "GET",
            path: "/test.txt",
            query: [],
            headers: Self.host,
        )
        let query = Self.signer.query(for: subject, lasting: 86_400, from: Self.date)
        #expect(
            query == "X-Amz-Algorithm=AWS4-HMAC-SHA256"
                + "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
                + "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
                + "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"
        )
    }

    @Test func `credentials that end bring their token, and say no secret`() {
        let credentials = S3Credentials(
            accessKey: "AKIDEXAMPLE",
            secret: "hidden",
            sessionToken: "token",
        )
        let subject = RequestSigner.Subject(
            method: "GET",
            path: "/",
            query: [],
            headers: Self.host,
        )
        let headers = RequestSigner(credentials: credentials, region: "us-east-1")
            .headers(for: subject, payload: Self.nothing, at: Self.date)
        #expect(headers["x-amz-security-token"] == "token")
        #expect(headers["authorization"]?.contains("x-amz-security-token") == true)
        #expect(!"\(credentials)".contains("hidden") && !"\(headers)".contains("hidden"))
    }

    @Test func `every byte that is not plain is encoded once`() {
        #expect(PercentEncoding.path("a/b+c@d e~ä") == "a/b%2Bc%40d%20e~%C3%A4")
        #expect(PercentEncoding.component("a/b") == "a%2Fb")
        #expect(PercentEncoding.decoded("a%2Fb+c%2B%C3%A4") == "a/b c+ä")
        #expect(PercentEncoding.decoded("%2") == nil && PercentEncoding.decoded("%ff") == nil)
    }
}
