import Bytes
import Cryptography
import Essentials
package import HTTPCalling

/// The developer account of a team, through the App Store Connect API.
///
/// Only one call is made at a time. Every change can be repeated: an existing resource is found and
/// returned, even if the response to an earlier attempt was lost. Only profiles with this installation's
/// mark and certificates for its own keys are ever deleted.
package struct DeveloperAccount: Sendable {
    /// The maximum number of pages of a list, with 200 entries each.
    static let pageLimit = 100
    /// The maximum size of all pages of a list in bytes.
    static let listLimit = 16_777_216
    /// The maximum number of entries of a list.
    static let entryLimit = 20_000

    let caller: AppleCaller
    let mark: ProfileName.Mark
    private let endpoint: AppleEndpoint
    private let policy: RetryPolicy

    /// - Parameters:
    ///   - key: the team's API key.
    ///   - mark: the mark of this installation, which the names of its profiles include.
    ///   - endpoint: the address of the API.
    ///   - transport: sends the requests.
    ///   - limits: the time and size limits of a response.
    ///   - policy: the number and intervals of retries.
    ///   - timing: the clock and the source of randomness.
    package init(
        key: TeamAPIKey,
        mark: ProfileName.Mark,
        endpoint: AppleEndpoint = .apple,
        transport: any CallTransport,
        limits: CallLimits = CallLimits(),
        policy: RetryPolicy = RetryPolicy(),
        timing: CallTiming,
    ) {
        caller = AppleCaller(
            key: key,
            endpoint: endpoint,
            transport: transport,
            limits: limits,
            policy: policy,
            timing: timing,
        )
        self.mark = mark
        self.endpoint = endpoint
        self.policy = policy
    }

    /// Sends a request and decodes the resource in the response.
    func value<Value: Decodable & Sendable>(
        _ request: APIRequest,
        naming name: String = "",
    ) async throws(AppleFailure) -> Value {
        let body = try await caller.answer(to: request, naming: name)
        return try Self.decoded(ResourceDocument<Value>.self, from: body).data
    }

    /// All entries of a list, from all its pages.
    ///
    /// - Throws: ``AppleFailure``, also for a list with more pages, bytes or entries than any account
    ///   has.
    func list<Value: Decodable & Sendable>(
        _ first: APIRequest
    ) async throws(AppleFailure) -> [Value] {
        var all: [Value] = []
        var request = first
        var bytes = 0
        var seen: Set<String> = [first.target]
        for _ in 0..<Self.pageLimit {
            let body = try await caller.answer(to: request)
            // The size of each page is limited, and here that of all pages.
            bytes += body.count
            guard bytes <= Self.listLimit else { throw .answerTooLarge(limit: Self.listLimit) }
            let page = try Self.decoded(ResourcePage<Value>.self, from: body)
            guard page.data.count <= Self.entryLimit - all.count else {
                throw .unreadable(reason: "a list has more than \(Self.entryLimit.grouped) entries")
            }
            all += page.data
            guard let next = page.next else { return all }
            guard let target = endpoint.target(of: next) else { throw .foreignLink }
            guard seen.insert(target).inserted else {
                throw .unreadable(reason: "the next page of a list is one that came before")
            }
            request = APIRequest(following: first, target: target)
        }
        throw .tooManyPages(limit: Self.pageLimit)
    }

    /// Creates a resource that may already exist.
    ///
    /// After a conflict, and after a failure with an unknown outcome, it searches for the resource,
    /// several times because the first results may be stale.
    ///
    /// - Parameters:
    ///   - request: creates the resource.
    ///   - name: the resource's name, for error messages.
    ///   - mayRepeat: whether repeating the request cannot create a second resource.
    ///   - existing: searches for the resource.
    /// - Returns: the new or existing resource.
    /// - Throws: ``AppleFailure``.
    func create<Value: Decodable & Sendable>(
        _ request: APIRequest,
        naming name: String,
        mayRepeat: Bool = true,
        finding existing: () async throws(AppleFailure) -> Value?,
    ) async throws(AppleFailure) -> Value {
        var attempt = 1
        while true {
            do throws(AppleFailure) {
                return try await value(request, naming: name)
            } catch {
                guard error.leavesOutcomeOpen || error.isOfExisting, error != .interrupted else {
                    throw error
                }
                for pause in policy.looks {
                    try await caller.wait(pause)
                    if let found = try await existing() { return found }
                }
                guard error.leavesOutcomeOpen, mayRepeat,
                    let pause = policy.pause(after: .failed, attempt: attempt, random: 0.5)
                else { throw error }
                attempt += 1
                try await caller.wait(pause)
            }
        }
    }

    /// Sends a request whose response needs no body.
    func perform(_ request: APIRequest) async throws(AppleFailure) {
        _ = try await caller.answer(to: request)
    }

    private static func decoded<Value: Decodable>(
        _ type: Value.Type,
        from body: [UInt8],
    ) throws(AppleFailure) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(body))
        } catch let error as DecodingError {
            throw .unreadable(reason: error.place)
        } catch {
            throw .unreadable(reason: "no JSON")
        }
    }
}

extension AppleFailure {
    /// Whether the error suggests that the resource already exists.
    fileprivate var isOfExisting: Bool {
        switch self {
        case .nameTaken, .identifierTaken, .badDevice, .tooManyCertificates: true
        case .refused(let status, _, _): status == 409
        default: false
        }
    }
}

extension DecodingError {
    /// The path in a document where decoding failed, without any of its values.
    fileprivate var place: String {
        let path: [any CodingKey]
        switch self {
        case .keyNotFound(let key, let context): path = context.codingPath + [key]
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            path = context.codingPath
        case .dataCorrupted(let context): path = context.codingPath
        @unknown default: path = []
        }
        guard !path.isEmpty else { return "no JSON" }
        let names = path.map { $0.intValue.map(String.init) ?? $0.stringValue }
        let place = PrintableText(escaping: names.joined(separator: "."), limit: 100)
        return "\(place) is not as documented"
    }
}
