@testable import TesterSite
import Testing

/// How many clients may listen to events at the same time.
struct ListenerLimitsTests {
    @Test func `the pages of one device do not take the places of others`() {
        let limits = ListenerLimits()
        let own = (1...limits.pagesOfOneDevice).map { number in
            EventListener.page(from: "198.51.100.\(number)", of: "a")
        }
        #expect(
            limits.admit(.page(from: "198.51.100.1", of: "a"), beside: counts(of: own.dropLast()))
        )
        #expect(!limits.admit(.page(from: "203.0.113.1", of: "a"), beside: counts(of: own)))
        #expect(limits.admit(.page(from: "198.51.100.1", of: "b"), beside: counts(of: own)))
        #expect(limits.admit(.page(from: "198.51.100.1", of: nil), beside: counts(of: own)))
        #expect(limits.admit(.admin, beside: counts(of: own)))
    }

    @Test func `pages of no device are limited by network and together`() {
        var limits = ListenerLimits()
        limits.pages = 3
        limits.pagesOfOneNetwork = 2
        let near = [EventListener](repeating: .page(from: "198.51.100.1", of: nil), count: 2)
        #expect(!limits.admit(.page(from: "198.51.100.1", of: "a"), beside: counts(of: near)))
        let far = EventListener.page(from: "203.0.113.1", of: nil)
        #expect(limits.admit(far, beside: counts(of: near)))
        #expect(
            !limits.admit(.page(from: "192.0.2.1", of: nil), beside: counts(of: near + [far]))
        )
        #expect(limits.admit(.admin, beside: counts(of: near + [far])))
    }

    @Test func `a listener that leaves makes room, of every kind that it counted for`() {
        var limits = ListenerLimits()
        (limits.pages, limits.pagesOfOneNetwork, limits.pagesOfOneDevice) = (1, 1, 1)
        let page = EventListener.page(from: "198.51.100.1", of: "a")
        var counts = ListenerCounts()
        for _ in 1...3 {
            #expect(limits.admit(page, beside: counts))
            counts.add(page)
            #expect(!limits.admit(page, beside: counts))
            counts.remove(page)
        }
        #expect(counts.networks.isEmpty && counts.devices.isEmpty && counts.all == 0)
    }

    private func counts(of listeners: some Sequence<EventListener>) -> ListenerCounts {
        var counts = ListenerCounts()
        for listener in listeners { counts.add(listener) }
        return counts
    }
}
