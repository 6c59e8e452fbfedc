import Bytes
import Foundation

/// A contract of the App Store Connect API: its paths, parameters and schemas (OpenAPI 3.0).
struct Contract {
    let name: String
    private let paths: [String: JSONValue]
    private let schemas: [String: JSONValue]

    /// - Returns: nil for bytes that are no such document.
    init?(_ name: String, _ bytes: [UInt8]) {
        guard let document = JSONValue(reading: bytes), let paths = document["paths"] else {
            return nil
        }
        self.name = name
        self.paths = paths.fields
        schemas = document["components"]?["schemas"]?.fields ?? [:]
    }

    /// Apple's contract, if this machine has it.
    ///
    /// It is in the folder `contracts` in `OTA_SHARED`; by default in `../shared` next to the checkout.
    static func whole() -> Contract? {
        let shared =
            ProcessInfo.processInfo.environment["OTA_SHARED"].map { URL(filePath: $0) }
            ?? URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "shared")
        let file = shared.appending(path: "contracts/app-store-connect-4.4.1.json")
        return (try? Data(contentsOf: file)).flatMap {
            Contract("app-store-connect-4.4.1", [UInt8]($0))
        }
    }

    /// Returns the violations of a request, worded for the author of the client.
    func violations(of request: ReceivedRequest) -> [String] {
        guard let operation = operation(for: request) else {
            return ["\(request.method) \(request.path) is not in the contract"]
        }
        return violations(ofQuery: request, operation) + violations(ofBody: request, operation)
    }

    /// Returns the violations of a response by this server.
    func violations(of answer: AppleAnswer, to request: ReceivedRequest) -> [String] {
        guard let operation = operation(for: request) else { return [] }
        guard let response = operation["responses"]?["\(answer.status)"] else {
            // Apple's servers return errors that the contract does not list.
            return answer.status >= 500 || answer.status == 409
                ? [] : ["the status \(answer.status) is not in the contract"]
        }
        guard let schema = Self.schema(of: response) else { return [] }
        guard let body = JSONValue(reading: answer.body) else { return ["the answer is no JSON"] }
        return SchemaCheck(schemas: schemas, isClosed: false)
            .violations(of: body, against: schema)
    }

    private func violations(
        ofQuery request: ReceivedRequest,
        _ operation: JSONValue,
    ) -> [String] {
        var known: [String: JSONValue] = [:]
        for parameter in operation["parameters"]?.elements ?? [] {
            if let name = parameter["name"]?.string { known[name] = parameter["schema"] }
        }
        return request.query.flatMap { name, value -> [String] in
            // An opaque parameter that this server's links contain.
            if name == "cursor" { return [] }
            guard let schema = known[name] else { return ["the parameter \(name) is unknown"] }
            if schema["type"]?.string == "integer" {
                guard let number = Int(value), number > 0,
                    number <= schema["maximum"]?.whole ?? .max
                else { return ["\(name)=\(value) is out of range"] }
                return []
            }
            guard case .list(let words)? = schema["items"]?["enum"] else { return [] }
            return value.split(separator: ",").filter { !words.contains(.text(String($0))) }
                .map { "\(name) does not take \($0)" }
        }
    }

    private func violations(
        ofBody request: ReceivedRequest,
        _ operation: JSONValue,
    ) -> [String] {
        guard let expected = operation["requestBody"] else {
            return request.body.isEmpty ? [] : ["a body that nobody asked for"]
        }
        guard let schema = Self.schema(of: expected) else { return [] }
        guard let body = JSONValue(reading: request.body) else { return ["the body is no JSON"] }
        return SchemaCheck(schemas: schemas, isClosed: true)
            .violations(of: body, against: schema)
    }

    private func operation(for request: ReceivedRequest) -> JSONValue? {
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: false)
        for (path, methods) in paths {
            let pattern = path.split(separator: "/", omittingEmptySubsequences: false)
            let isEqual =
                pattern.count == parts.count
                && zip(pattern, parts).allSatisfy { $0 == $1 || ($0 == "{id}" && !$1.isEmpty) }
            if isEqual, let operation = methods[request.method.lowercased()] { return operation }
        }
        return nil
    }

    private static func schema(of content: JSONValue) -> JSONValue? {
        content["content"]?["application/json"]?["schema"]
    }
}
