import Cryptography
import Foundation
import Phone
import TestSupport

/// A client that requests URLs without following redirects.
struct Browser: Sendable {
    struct Answer: Sendable {
        let status: Int
        /// Fields by their names in lower case.
        let fields: [String: String]
        let body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    struct Failed: Error {
        let reason: String
    }

    private let folder: URL
    private let authorities: String

    /// Trusts the same authorities as the phone.
    init(like phone: SimulatedPhone) throws {
        folder = phone.downloads
        authorities = folder.appending(path: "authorities.pem").path()
        try Data(phone.authorities.map(\.pem).joined().utf8)
            .write(to: URL(filePath: authorities))
    }

    func get(
        _ url: String,
        method: String = "GET",
        fields: [String: String] = [:],
        body form: String? = nil,
    ) async throws -> Answer {
        let name = UUID().uuidString
        let body = folder.appending(path: "\(name).body")
        let head = folder.appending(path: "\(name).head")
        defer {
            try? FileManager.default.removeItem(at: body)
            try? FileManager.default.removeItem(at: head)
        }
        var arguments = ["-sS", "--cacert", authorities, "-o", body.path(), "-D", head.path()]
        arguments += method == "HEAD" ? ["--head"] : ["-X", method]
        for (name, value) in fields { arguments += ["-H", "\(name): \(value)"] }
        if let form { arguments += ["--data", form] }
        let outcome = try await Program(path: "/usr/bin/curl").run(arguments + [url], in: folder)
        guard outcome.status == 0 else { throw Failed(reason: outcome.errors) }
        let isThere = method != "HEAD" && FileManager.default.fileExists(atPath: body.path())
        let answer = Self.answer(
            head: String(decoding: try Data(contentsOf: head), as: UTF8.self),
            body: isThere ? Array(try Data(contentsOf: body)) : [],
        )
        if answer.status >= 400 { Traces.keep(answer.body, as: .refusal) }
        if url.hasSuffix("/metrics") { Traces.keep(answer.body, as: .metrics) }
        return answer
    }

    /// Returns what a stream sends within the given number of seconds.
    func listen(
        to url: String,
        for seconds: Int,
        fields: [String: String] = [:],
    ) async throws -> String {
        var arguments = ["-sS", "-N", "--cacert", authorities, "--max-time", "\(seconds)"]
        for (name, value) in fields { arguments += ["-H", "\(name): \(value)"] }
        let outcome = try await Program(path: "/usr/bin/curl").run(arguments + [url], in: folder)
        // curl's exit status 28: the time is over.
        guard outcome.status == 28 else { throw Failed(reason: outcome.errors) }
        return outcome.output
    }

    private static func answer(head: String, body: [UInt8]) -> Answer {
        let lines = head.split(whereSeparator: \.isNewline)
        let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            fields[line[..<colon].lowercased()] = value
        }
        return Answer(status: status, fields: fields, body: body)
    }
}

extension Browser {
    /// Reads an endless response line by line.
    func listen(to url: String, fields: [String: String]) async throws -> RunningProgram {
        var arguments = ["-sS", "-N", "--cacert", authorities, "--max-time", "60"]
        for (name, value) in fields { arguments += ["-H", "\(name): \(value)"] }
        return try Program(path: "/usr/bin/curl").start(arguments + [url], in: folder)
    }

    /// Sends a form.
    func post(
        _ url: String,
        _ form: String,
        fields: [String: String] = [:],
    ) async throws -> Answer {
        try await get(url, method: "POST", fields: fields, body: form)
    }
}
