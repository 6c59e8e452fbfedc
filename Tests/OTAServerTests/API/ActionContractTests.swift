import API
import APIDocuments
import Access
import Foundation
import Pages
import Testing
import Yams

/// Every action is in `public/openapi.yaml` as it is declared, and every operation there is an action.
struct ActionContractTests {
    /// Operations that stream, or respond without a document; these have routes of their own.
    private static let others: Set<String> = [
        "GET /api/v1/devices/export.txt",
        "GET /api/v1/mirrors/{mirror}/builds/{build}/log",
        "GET /api/v1/mirrors/{mirror}/builds/{build}/artifact",
        "GET /api/v1/apps/{app}/update",
        "GET /api/v1/apps/{app}/installs.csv",
        "GET /api/v1/apps/{app}/feedback.csv",
        "GET /api/v1/devices.csv",
        "GET /api/v1/installs.csv",
        "GET /api/v1/activity.csv",
        "POST /api/v1/apps/{app}/releases/{release}/symbols",
        "GET /api/v1/apps/{app}/releases/{release}/symbols/{uuid}",
        "GET /api/v1/uploads",
        "POST /api/v1/uploads",
        "GET /api/v1/uploads/{upload}",
        "HEAD /api/v1/uploads/{upload}",
        "PATCH /api/v1/uploads/{upload}",
        "DELETE /api/v1/uploads/{upload}", "POST /api/v1/uploads/{upload}",
        "POST /api/v1/runner/register",
        "POST /api/v1/runner/poll",
        "GET /api/v1/runner/stages/{mirror}/{build}/{attempt}/bundle",
        "GET /api/v1/runner/stages/{mirror}/{build}/{attempt}/files",
        "POST /api/v1/runner/stages/{mirror}/{build}/{attempt}/beat",
        "PATCH /api/v1/runner/stages/{mirror}/{build}/{attempt}/log",
        "PATCH /api/v1/runner/stages/{mirror}/{build}/{attempt}/archive",
        "POST /api/v1/runner/stages/{mirror}/{build}/{attempt}/finish",
        "POST /api/v1/runner/stages/{mirror}/{build}/{attempt}/abandon",
    ]

    @Test func `every operation is an action, and every action an operation`() throws {
        let document = try OpenAPIDocument()
        let actions = APIRoutes.actions.map { $0.route.operation }
        #expect(Set(actions).count == actions.count, "two actions have one address")
        #expect(Set(actions).isDisjoint(with: Self.others))
        #expect(Set(actions).union(Self.others) == Set(document.operations))
    }

    @Test func `every action that is declared has a route`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/APIDocuments/Actions").standardized
        let files = try FileManager.default.contentsOfDirectory(
            at: folder,
            includingPropertiesForKeys: nil,
        )
        let declared = try files.flatMap { file in
            try String(contentsOf: file, encoding: .utf8)
                .matches(of: /package struct (\w+): Action \{/)
                .map { String($0.output.1) }
        }
        #expect(Set(declared) == Set(APIRoutes.actions.map { "\($0)" }))
        #expect(declared.count > 50)
    }

    @Test func `an operation says the right that its action needs`() throws {
        let document = try OpenAPIDocument()
        for action in APIRoutes.actions {
            let operation = try document.operation(of: action.route)
            let summary = try #require(operation["summary"]?.string)
            let isForAll = action.route.right == .anyToken
            let isSaid = isForAll || summary.contains(action.route.right.words)
            #expect(isSaid, "\(action): \(summary)")
            #expect(summary.contains("Needs `") == !isForAll, "\(action): \(summary)")
            let statuses = try document.responses(of: action.route).keys
            #expect(statuses.contains("403") == action.route.right.refuses, "\(action)")
        }
    }

    @Test func `an operation takes the parameters of its action`() throws {
        let document = try OpenAPIDocument()
        for action in APIRoutes.actions {
            let route = action.route
            let parameters = try document.parameters(of: route)
            let names = Set(parameters.keys)
            let inPath = route.path.split(separator: "/").filter { $0.hasPrefix("{") }
                .map { "path \($0.dropFirst().dropLast())" }
            let inQuery = route.query.map { "query \($0.name)" }
            let isBound = route.hasVersion && route.method != .get
            #expect(
                names == Set(inPath + inQuery + (isBound ? ["header If-Match"] : [])),
                "\(action)",
            )
            for name in route.numbers {
                let schema = parameters["path \(name)"]?["schema"]
                #expect(schema?["type"]?.string == "integer", "\(action)")
                #expect(schema?["minimum"]?.int == 1, "\(action)")
            }
            for parameter in route.query {
                let schema = try #require(parameters["query \(parameter.name)"]?["schema"])
                Self.expect(schema, toSay: parameter, of: "\(action)")
            }
        }
    }

    @Test func `an operation takes the body of its action, up to the same size`() throws {
        let document = try OpenAPIDocument()
        for action in APIRoutes.actions { try Self.expectBody(of: action, in: document) }
    }

    @Test func `an operation answers as its action declares`() throws {
        let document = try OpenAPIDocument()
        for action in APIRoutes.actions {
            let route = action.route
            let responses = try document.responses(of: route)
            let statuses = responses.keys
            #expect(
                statuses.filter { $0.hasPrefix("2") } == ["\(route.success.rawValue)"],
                "\(action)",
            )
            let fields = responses["\(route.success.rawValue)"]?["headers"]
            #expect((fields?["ETag"] != nil) == route.hasVersion, "\(action)")
            let isNew = route.success != .done
            #expect(fields?["Location"] == nil || isNew, "\(action)")
            let isBound = route.hasVersion && route.method != .get
            #expect(statuses.contains("412") == isBound, "\(action)")
            #expect(statuses.contains("413") == (route.bodyLimit > 0), "\(action)")
            #expect(statuses.contains("415") == (route.bodyLimit > 0), "\(action)")
        }
    }

    private static func expect(
        _ schema: Node,
        toSay parameter: ActionRoute.Parameter,
        of action: String,
    ) {
        let name: Comment = "\(action), \(parameter.name)"
        switch parameter.kind {
        case .text:
            #expect(schema["type"]?.string == "string", name)
        case .flag:
            #expect(schema["type"]?.string == "boolean", name)
            #expect(schema["default"]?.bool == false, name)
        case .number(let bounds, let usual):
            #expect(schema["type"]?.string == "integer", name)
            #expect(schema["minimum"]?.int == bounds.lowerBound, name)
            #expect(schema["maximum"]?.int == bounds.upperBound, name)
            #expect(schema["default"]?.int == usual, name)
        }
    }

    private static func expectBody<Declared: Action>(
        of action: Declared.Type,
        in document: OpenAPIDocument,
    ) throws {
        let found = try document.operation(of: Declared.route)["requestBody"]
        guard Declared.route.bodyLimit > 0 else {
            #expect(found == nil, "\(action)")
            #expect(Declared.Content.self == NoContent.self, "\(action)")
            return
        }
        let body = try document.resolved(#require(found, "\(action)"))
        #expect(body["x-max-bytes"]?.int == Declared.route.bodyLimit, "\(action)")
        #expect(
            (body["required"]?.bool ?? false) == (Declared.Content.self != NoContent.self),
            "\(action)",
        )
        let media = try #require(body["content"]?["application/json"]?["schema"], "\(action)")
        let schema = try document.resolved(media)
        let forms = schema["oneOf"]?.array() ?? [schema]
        #expect(forms.allSatisfy { $0["additionalProperties"]?.bool == false }, "\(action)")
        let keys = forms.reduce(into: Set()) { $0.formUnion(Self.keys(of: $1)) }
        #expect(keys == Declared.Content.keys, "\(action)")
        for (key, inner) in Declared.Content.innerKeys {
            let node = try #require(schema["properties"]?[key], "\(action), \(key)")
            let object = try document.resolved(node["items"] ?? node)
            #expect(object["additionalProperties"]?.bool == false, "\(action), \(key)")
            #expect(Self.keys(of: object) == inner, "\(action), \(key)")
        }
    }

    private static func keys(of schema: Node) -> Set<String> {
        Set(schema["properties"]?.mapping?.keys.compactMap(\.string) ?? [])
    }
}

extension ActionRoute {
    /// The operation, such as `GET /api/v1/apps/{app}`.
    fileprivate var operation: String { "\(method.rawValue) /api/v1\(path)" }
}

extension ActionRoute.Right {
    /// The name as words, as in the summary of an operation.
    fileprivate var words: String {
        switch self {
        case .anyToken: ""
        case .onApp(let action), .everywhere(let action): "Needs `\(action.rawValue)`"
        }
    }

    /// Whether a token may lack this right; a token that may not read an app gets 404 instead.
    fileprivate var refuses: Bool { self != .anyToken && self != .onApp(.read) }
}

/// The file that describes the API, as far as actions are compared with it.
private struct OpenAPIDocument {
    private let root: Node
    private let paths: Node

    init() throws {
        let bytes = try #require(try Assets().publicFiles["openapi.yaml"])
        root = try #require(try Yams.compose(yaml: String(decoding: bytes, as: UTF8.self)))
        paths = try #require(root["paths"])
    }

    private static let methods: Set<String> = ["get", "head", "post", "put", "patch", "delete"]

    /// The operations, such as `GET /api/v1/apps/{app}`.
    var operations: [String] {
        (paths.mapping ?? [:]).flatMap { path, item in
            (item.mapping?.keys.compactMap(\.string) ?? [])
                .filter(Self.methods.contains)
                .map { "\($0.uppercased()) \(path.string ?? "")" }
        }
    }

    func operation(of route: ActionRoute) throws -> Node {
        try #require(
            paths["/api/v1" + route.path]?[route.method.rawValue.lowercased()],
            "\(route.operation)",
        )
    }

    /// The responses by status, whose keys are text: looked up as a number, a node does not find them.
    func responses(of route: ActionRoute) throws -> [String: Node] {
        let responses = try #require(operation(of: route)["responses"]?.mapping)
        return responses.reduce(into: [:]) { $0[$1.key.string ?? ""] = $1.value }
    }

    /// The parameters of the path and of the operation by location and name, such as `query limit`.
    func parameters(of route: ActionRoute) throws -> [String: Node] {
        let shared = paths["/api/v1" + route.path]?["parameters"]?.array() ?? []
        let own = try operation(of: route)["parameters"]?.array() ?? []
        return try (shared + own).reduce(into: [:]) { found, node in
            let parameter = try resolved(node)
            let place = try #require(parameter["in"]?.string)
            let name = try #require(parameter["name"]?.string)
            found["\(place) \(name)"] = parameter
        }
    }

    /// The target of a node's `$ref`, or the node itself.
    func resolved(_ node: Node) throws -> Node {
        guard let reference = node["$ref"]?.string else { return node }
        return try reference.dropFirst(2).split(separator: "/").reduce(root) { node, name in
            try #require(node[String(name)], "\(reference)")
        }
    }
}
