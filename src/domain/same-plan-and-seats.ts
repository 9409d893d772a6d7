interface PlanAndSeats {
  planId: string;
  seats: number;
}

/** Whether a plan and its seats are those of the other, which null never are. */
export function isSamePlanAndSeats(one: PlanAndSeats, other: PlanAndSeats | null): boolean {
  return one.planId === other?.planId && one.seats === other.seats;
}
