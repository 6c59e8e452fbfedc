import Bytes
import Cryptography
import Essentials
package import HTTPCalling

/// The account of one team at Apple, as the App Store Connect API shows it.
///
/// One call is made at a time. Each change can be repeated: what is there already is found and given
/// back, also where the answer to an earlier attempt was lost. Nothing is deleted but profiles with this
/// installation's mark and certificates about its own keys.
package struct DeveloperAccount: Sendable {
    /// Pages of 200 entries that a list may have.
    static let pageLimit = 100
    /// Bytes that the pages of a list may have together.
    static let listLimit = 16_777_216
    /// Entries that they may have together.
    static let entryLimit = 20_000

    let caller: AppleCaller
    let mark: ProfileName.Mark
    private let endpoint: AppleEndpoint
    private let policy: RetryPolicy

    /// - Parameters:
    ///   - key: the team's.
    ///   - mark: of this installation; its profiles carry it.
    ///   - endpoint: where the API is.
    ///   - transport: brings the requests there.
    ///   - limits: of time and size of an answer.
    ///   - policy: how often and when to try again.
    ///   - timing: time and chance.
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

    /// The one resource that a request gives.
    func value<Value: Decodable & Sendable>(
        _ request: APIRequest,
        naming name: String = "",
    ) async throws(AppleFailure) -> Value {
        let body = try await caller.answer(to: request, naming: name)
        return try Self.decoded(ResourceDocument<Value>.self, from: body).data
    }

    /// All entries of a list, from all its pages.
    ///
    /// - Throws: ``AppleFailure``, also for a list with more pages, bytes or entries than any account has.
    func list<Value: Decodable & Sendable>(
        _ first: APIRequest
    ) async throws(AppleFailure) -> [Value] {
        var all: [Value] = []
        var request = first
        var bytes = 0
        var seen: Set<String> = [first.target]
        for _ in 0..<Self.pageLimit {
            let body = try await caller.answer(to: request)
            // Each page is bounded; so are they together.
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

    /// Creates something that may be there already.
    ///
    /// After a failure that leaves open whether Apple did it, and after a conflict, it is looked for; the
    /// first looks may be stale, so there are several.
    ///
    /// - Parameters:
    ///   - request: creates it.
    ///   - name: of it, for the sentence of a refusal.
    ///   - mayRepeat: whether a second request makes no second one.
    ///   - existing: looks for it.
    /// - Returns: what was created, or was there.
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

    /// Does something that need not be answered with a document.
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
    /// Whether what was to be created may be there already.
    fileprivate var isOfExisting: Bool {
        switch self {
        case .nameTaken, .identifierTaken, .badDevice, .tooManyCertificates: true
        case .refused(let status, _, _): status == 409
        default: false
        }
    }
}

extension DecodingError {
    /// Where a document is not as documented; none of its values.
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
